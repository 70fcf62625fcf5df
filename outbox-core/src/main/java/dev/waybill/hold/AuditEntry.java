package dev.waybill.hold;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operator's action on a hold.
 *
 * @param action {@code retry}, {@code release}, {@code skip} or {@code edit}
 * @param before the changed table row as JSON; bodies in hexadecimal
 * @param after the row after the change; null if it was deleted
 */
public record AuditEntry(
        String action,
        AuditContext instruction,
        String databaseUser,
        Instant at,
        @Nullable String before,
        @Nullable String after) {}
