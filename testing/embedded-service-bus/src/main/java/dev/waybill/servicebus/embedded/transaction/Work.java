package dev.waybill.servicebus.embedded.transaction;

import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public interface Work {
    /** Throws if the work cannot be done now. Has no effect. */
    void check();

    /** Runs directly after {@link #check}. */
    void apply();

    /** The sent messages, or null. */
    default @Nullable Sending sending() {
        return null;
    }

    /** Locks that only this work of the transaction may settle. */
    default Set<UUID> locks() {
        return Set.of();
    }
}
