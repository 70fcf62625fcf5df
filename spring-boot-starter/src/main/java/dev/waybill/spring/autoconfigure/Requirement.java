package dev.waybill.spring.autoconfigure;

/** What a property has to be. */
final class Requirement {
    private Requirement() {}

    static void that(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
