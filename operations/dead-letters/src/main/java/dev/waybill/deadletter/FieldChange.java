package dev.waybill.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * A field that an edit has changed.
 *
 * @param field {@code session}, {@code partition-key}, {@code subject}, {@code content-type}, {@code correlation-id},
 *     {@code to}, {@code reply-to}, {@code reply-to-session}, {@code time-to-live}, {@code body}, or
 *     {@code property:<name>}
 * @param before null if there was none
 * @param after null if there is none any more
 */
public record FieldChange(
        String field, @Nullable String before, @Nullable String after) {}
