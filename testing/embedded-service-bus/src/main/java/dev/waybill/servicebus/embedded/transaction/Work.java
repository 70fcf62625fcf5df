package dev.waybill.servicebus.embedded.transaction;

import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A piece of work enlisted in a transaction. */
public interface Work {
    /** Whether it can be done now; throws the refusal if not. Has no effect. */
    void check();

    /** Does it. Called at once after {@link #check}. */
    void apply();

    /** The messages that it sends, or null. */
    default @Nullable Sending sending() {
        return null;
    }

    /** The locks that it ends, which no other work of the transaction may end too. */
    default Set<UUID> locks() {
        return Set.of();
    }
}
