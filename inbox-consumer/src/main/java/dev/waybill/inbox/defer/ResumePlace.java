package dev.waybill.inbox.defer;

import dev.waybill.message.BrokerNames;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A place with deferred messages: a session by its {@link BrokerNames#key}, or the key of one message without a session. */
public record ResumePlace(
        @Nullable String session, @Nullable UUID alone) {
    public static ResumePlace of(String session) {
        return new ResumePlace(BrokerNames.key(session), null);
    }
}
