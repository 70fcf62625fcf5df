package dev.waybill.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * A dead letter without its body and its properties, as lists show it.
 *
 * @param id in the order of arrival
 * @param arrived where it came from, and why
 * @param about which message it is
 * @param bytes how long its body is; 0 if it is archived or emptied
 */
public record DeadLetterSummary(
        long id, DeadLetterState state, DeadLetter.Arrived arrived, About about, long bytes, DeadLetter.Course course) {
    /** Ids and subject of a message. */
    public record About(
            String messageId,
            @Nullable String sessionId,
            @Nullable String subject) {}
}
