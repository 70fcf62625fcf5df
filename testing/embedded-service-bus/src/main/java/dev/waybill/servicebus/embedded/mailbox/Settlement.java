package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.journal.Settled.Outcome;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A receiver's decision about a message.
 *
 * @param properties application properties to set, including a dead letter's reason and description
 */
public record Settlement(Outcome outcome, Map<String, Object> properties) {
    public static final String REASON = "DeadLetterReason";

    public static final String DESCRIPTION = "DeadLetterErrorDescription";

    public Settlement {
        properties = Map.copyOf(properties);
    }

    public static Settlement complete() {
        return new Settlement(Outcome.COMPLETED, Map.of());
    }

    public static Settlement release() {
        return new Settlement(Outcome.RELEASED, Map.of());
    }

    public static Settlement abandon(Map<String, Object> properties) {
        return new Settlement(Outcome.ABANDONED, properties);
    }

    public static Settlement defer(Map<String, Object> properties) {
        return new Settlement(Outcome.DEFERRED, properties);
    }

    public static Settlement deadLetter(
            @Nullable Object reason, @Nullable Object description, Map<String, Object> properties) {
        Map<String, Object> all = new HashMap<>(properties);
        if (reason != null) {
            all.put(REASON, reason.toString());
        }
        if (description != null) {
            all.put(DESCRIPTION, description.toString());
        }
        return new Settlement(Outcome.DEAD_LETTERED, all);
    }
}
