package dev.waybill.spring.autoconfigure;

import org.jspecify.annotations.Nullable;

/** The condition that a property has to meet. */
final class Requirement {
    private Requirement() {}

    static void that(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** The text; null if it is blank, as an empty variable of the environment is. */
    static @Nullable String given(@Nullable String text) {
        return text == null || text.isBlank() ? null : text;
    }
}
