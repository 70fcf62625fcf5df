package dev.waybill.deadletter;

import dev.waybill.hold.AuditContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An action on a dead letter.
 *
 * @param action {@code redrive}, {@code edit}, {@code discard}, {@code release}, {@code reopen}, {@code archive}, {@code restore},
 *     {@code redact}, {@code expire}, {@code erase} or {@code import}
 * @param redrive the run it was part of; null if none
 * @param databaseUser who was logged in to the database
 * @param before what was changed, as JSON; digests in place of what messages say
 * @param after what it became
 */
public record DeadLetterAuditEntry(
        String action,
        @Nullable Long redrive,
        AuditContext instruction,
        String databaseUser,
        Instant at,
        @Nullable String before,
        @Nullable String after) {}
