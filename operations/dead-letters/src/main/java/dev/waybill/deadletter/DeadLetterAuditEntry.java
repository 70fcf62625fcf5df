package dev.waybill.deadletter;

import dev.waybill.hold.AuditContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An action on a dead letter.
 *
 * @param action {@code redrive}, {@code edit}, {@code discard}, {@code release}, {@code reopen}, {@code archive},
 *     {@code restore}, {@code redact}, {@code expire}, {@code erase} or {@code import}
 * @param redrive the run it was part of; null if none
 * @param databaseUser who was logged in to the database
 * @param change what was changed
 */
public record DeadLetterAuditEntry(
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
    public record Change(@Nullable String before, @Nullable String after) {}
}
