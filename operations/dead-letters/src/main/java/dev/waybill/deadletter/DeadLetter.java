package dev.waybill.deadletter;

import dev.waybill.deadletter.ReceivedDeadLetter.Death;
import dev.waybill.deadletter.ReceivedDeadLetter.Origin;
import dev.waybill.hold.AuditContext;
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
        long id, State state, Provenance provenance, MessageContent content, BodyKind bodyKind, Lifecycle lifecycle) {
    /** Where it was on the broker. */
    public Origin origin() {
        return provenance.origin();
    }

    /** Why it became a dead letter. */
    public Death death() {
        return provenance.death();
    }

    /** The exception that reason or description name; null if they name none. */
    public @Nullable String exceptionType() {
        return provenance.exceptionType();
    }

    /**
     * Where it came from, and why.
     *
     * @param exceptionType the exception that reason or description name; null if they name none
     */
    public record Provenance(
            Origin origin, Death death, @Nullable String exceptionType) {}

    /**
     * Its history up to now.
     *
     * @param redrives how often the message had been re-driven when it came
     * @param version 1 until it is edited
     * @param keepUntil when the archive may forget it; null if it is not archived
     * @param emptied why there is nothing left to send; null if it can be sent
     */
    public record Lifecycle(
            int redrives,
            int version,
            Instant collectedAt,
            Instant changedAt,
            @Nullable Instant keepUntil,
            @Nullable EmptiedReason emptied) {}

    /** The state of a dead letter. */
    public enum State {
        /** Somebody has to decide. */
        OPEN,
        /** It was re-driven too often; an operator must let it go before anything can happen to it again. */
        QUARANTINED,
        /** A copy is in the outbox or with the consumer. */
        REDRIVEN,
        /** Nothing more is to happen. */
        DISCARDED,
        /** Its body is in the archive. */
        ARCHIVED
    }

    /**
     * A dead letter without its body and its properties, as lists show it.
     *
     * @param id in the order of arrival
     * @param arrived where it came from, and why
     * @param about which message it is
     * @param bytes how long its body is; 0 if it is archived or emptied
     */
    public record Summary(
            long id,
            DeadLetter.State state,
            DeadLetter.Provenance provenance,
            About about,
            long bytes,
            DeadLetter.Lifecycle lifecycle) {
        /** Ids and subject of a message. */
        public record About(
                String messageId,
                @Nullable String sessionId,
                @Nullable String subject) {}
    }

    /** The kind of a message's body on the wire. */
    public enum BodyKind {
        /** Bytes, as nearly all messages have them. */
        DATA,
        /** An AMQP value that is a text, as JMS sends them; stored as its UTF-8. */
        TEXT,
        /** Another AMQP value; stored as JSON in the manner of {@code Headers}. Can be kept and edited, not re-driven as it is. */
        VALUE,
        /** AMQP sequences; stored as text. Can be kept and edited, not re-driven as it is. */
        SEQUENCE
    }

    /** The reason why a dead letter cannot be sent as it came. */
    public enum EmptiedReason {
        /** Its content, or a part of it, was taken out. */
        REDACTED,
        /** It was imported from an export of an archived one, which has no body. */
        WITHOUT_BODY
    }

    /**
     * An action on a dead letter.
     *
     * @param action {@code redrive}, {@code edit}, {@code discard}, {@code release}, {@code reopen}, {@code archive},
     *     {@code restore}, {@code redact}, {@code expire}, {@code erase} or {@code import}
     * @param redrive the run it was part of; null if none
     * @param databaseUser who was logged in to the database
     * @param change what was changed
     */
    public record AuditEntry(
            String action,
            @Nullable Long redrive,
            AuditContext instruction,
            String databaseUser,
            Instant at,
            Change change) {
        /**
         * A change, with digests in place of what messages say.
         *
         * @param before what was changed, as JSON; null if nothing is recorded
         * @param after what it became
         */
        public record Change(
                @Nullable String before, @Nullable String after) {}
    }
}
