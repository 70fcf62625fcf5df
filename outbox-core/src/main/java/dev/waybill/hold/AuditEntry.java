package dev.waybill.hold;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An action of an operator on a hold.
 *
 * @param action {@code retry}, {@code release}, {@code skip} or {@code edit}
 * @param databaseUser who was logged in to the database
 * @param before what was changed, as JSON of its table row; bodies in hexadecimal
 * @param after what it became; null if it was taken out
 */
public record AuditEntry(
        String action,
        AuditContext instruction,
        String databaseUser,
        Instant at,
        @Nullable String before,
        @Nullable String after) {}
