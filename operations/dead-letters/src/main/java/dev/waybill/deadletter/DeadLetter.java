package dev.waybill.deadletter;

import dev.waybill.deadletter.ReceivedDeadLetter.Death;
import dev.waybill.deadletter.ReceivedDeadLetter.Origin;
import dev.waybill.message.MessageContent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as it stands in the database.
 *
 * @param id in the order of arrival
 * @param arrived where it came from, and why
 * @param content what it says now; edits have changed it since it came. Without body if it is archived or emptied
 */
public record DeadLetter(
        long id, DeadLetterState state, Arrived arrived, MessageContent content, BodyKind bodyKind, Course course) {
    /** Where it was on the broker. */
    public Origin origin() {
        return arrived.origin();
    }

    /** Why it became a dead letter. */
    public Death death() {
        return arrived.death();
    }

    /** The exception that reason or description name; null if they name none. */
    public @Nullable String exceptionType() {
        return arrived.exceptionType();
    }

    /**
     * Where it came from, and why.
     *
     * @param exceptionType the exception that reason or description name; null if they name none
     */
    public record Arrived(
            Origin origin, Death death, @Nullable String exceptionType) {}

    /**
     * Its history up to now.
     *
     * @param redrives how often the message had been re-driven when it came
     * @param version 1 until it is edited
     * @param keepUntil when the archive may forget it; null if it is not archived
     * @param emptied why there is nothing left to send; null if it can be sent
     */
    public record Course(
            int redrives,
            int version,
            Instant collectedAt,
            Instant changedAt,
            @Nullable Instant keepUntil,
            @Nullable Emptied emptied) {}
}
