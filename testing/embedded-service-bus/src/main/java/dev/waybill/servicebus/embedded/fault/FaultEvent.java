package dev.waybill.servicebus.embedded.fault;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event at a fault point.
 *
 * @param entity the entity's path as configured; empty if there is none
 * @param operation the requested operation, or empty
 * @param messageIds all ids of a batch; empty without messages
 * @param sessionId the first message's session, or null
 */
public record FaultEvent(
        FaultPoint point,
        String entity,
        String operation,
        List<String> messageIds,
        @Nullable String sessionId) {
    public FaultEvent {
        messageIds = List.copyOf(messageIds);
    }

    /** An event without messages. */
    public static FaultEvent of(FaultPoint point, String entity, String operation) {
        return new FaultEvent(point, entity, operation, List.of(), null);
    }
}
