package dev.waybill.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * A field that an edit has changed.
 *
 * @param field {@code session}, {@code partition-key}, {@code subject}, {@code content-type}, {@code correlation-id}, {@code
 *     to}, {@code reply-to}, {@code reply-to-session}, {@code time-to-live}, {@code body}, or {@code property:<name>}
 * @param before null if the field was absent
 * @param after null if the field is absent
 */
public record FieldChange(
        String field, @Nullable String before, @Nullable String after) {}
