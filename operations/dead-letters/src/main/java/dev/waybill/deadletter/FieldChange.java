package dev.waybill.deadletter;

import dev.waybill.message.BrokerNames;
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
        String field, @Nullable String before, @Nullable String after) {
    private static final String PROPERTY = "property:";

    /** Equal for the names of one field: Service Bus compares names of properties without regard to case. */
    public static String key(String field) {
        return field.startsWith(PROPERTY) ? PROPERTY + BrokerNames.key(field.substring(PROPERTY.length())) : field;
    }
}
