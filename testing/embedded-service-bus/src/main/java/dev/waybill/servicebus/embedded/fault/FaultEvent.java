package dev.waybill.servicebus.embedded.fault;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event at a point where faults can happen.
 *
 * @param point where
 * @param entity the entity's path as configured, or the empty string where there is none
 * @param operation what is asked for at this point, or the empty string
 * @param messageIds the ids of the messages concerned: all of a batch, none where there are none
 * @param sessionId the session concerned (the first message's), or null
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

    /** An event that concerns no message. */
    public static FaultEvent of(FaultPoint point, String entity, String operation) {
        return new FaultEvent(point, entity, operation, List.of(), null);
    }
}
