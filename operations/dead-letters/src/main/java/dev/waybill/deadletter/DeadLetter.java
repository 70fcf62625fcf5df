package dev.waybill.deadletter;

import dev.waybill.deadletter.ReceivedDeadLetter.Death;
import dev.waybill.deadletter.ReceivedDeadLetter.Origin;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter in the database.
 *
 * @param id ascending in the order of collecting
 * @param content as edited; without a body if the letter is archived or emptied
 */
public record DeadLetter(
        long id, State state, Provenance provenance, MessageContent content, BodyKind bodyKind, Lifecycle lifecycle) {
    public Origin origin() {
        return provenance.origin();
    }

    public Death death() {
        return provenance.death();
    }

    public @Nullable String exceptionType() {
        return provenance.exceptionType();
    }

    /** Where the letter comes from, and why it is dead. The type of the exception is null if the texts name none. */
    public record Provenance(
            Origin origin, Death death, @Nullable String exceptionType) {}

    /**
     * What happened to the letter since it was collected.
     *
     * @param redrives re-drives of the message before it was collected
     * @param version 1 until it is edited
     * @param keepUntil when the archive may delete it; null if it is not archived
     * @param emptied why it cannot be sent; null if it can
     */
    public record Lifecycle(
            int redrives,
            int version,
            Instant collectedAt,
            Instant changedAt,
            @Nullable Instant keepUntil,
            @Nullable EmptiedReason emptied) {}

    public enum State {
        /** It waits for a decision. */
        OPEN,
        /** The message was re-driven too often. An operator must release it first. */
        QUARANTINED,
        /** A copy is in the outbox, or in the hold of the consumer. */
        REDRIVEN,
        /** It was closed without a re-drive. */
        DISCARDED,
        /** Its body is in the archive. */
        ARCHIVED
    }

    /** A dead letter without body and properties, for lists. An archived or emptied body has 0 bytes. */
    public record Summary(
            long id,
            DeadLetter.State state,
            DeadLetter.Provenance provenance,
            About about,
            long bytes,
            DeadLetter.Lifecycle lifecycle) {
        public record About(
                String messageId,
                @Nullable String sessionId,
                @Nullable String subject) {}
    }

    public enum BodyKind {
        DATA,
        /** An AMQP value that is a string, as JMS sends it; stored as UTF-8. */
        TEXT,
        /** Another AMQP value; stored as JSON. It can be re-driven only after an edit. */
        VALUE,
        /** AMQP sequences; stored as text. They can be re-driven only after an edit. */
        SEQUENCE
    }

    /** Why a dead letter cannot be sent. */
    public enum EmptiedReason {
        REDACTED,
        /** It was imported from the export of an archived letter, which has no body. */
        WITHOUT_BODY
    }

    /**
     * An action on a dead letter.
     *
     * @param action {@code redrive}, {@code edit}, {@code discard}, {@code release}, {@code reopen}, {@code archive}, {@code
     *     restore}, {@code redact}, {@code expire}, {@code erase} or {@code import}
     * @param redrive the run of a re-drive; null for other actions
     */
    public record AuditEntry(
            String action,
            @Nullable Long redrive,
            AuditContext instruction,
            String databaseUser,
            Instant at,
            Change change) {
        /** Values before and after an action, as JSON, with digests in place of content; null if nothing is recorded. */
        public record Change(
                @Nullable String before, @Nullable String after) {}
    }
}
