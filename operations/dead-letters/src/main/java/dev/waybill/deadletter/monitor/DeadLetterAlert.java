package dev.waybill.deadletter.monitor;

import org.jspecify.annotations.Nullable;

/**
 * Something that somebody should know.
 *
 * @param entity the queue or subscription; empty for the summary of all
 * @param reason of the dead letters; null if it is about all of the entity's
 * @param text for a person
 */
public record DeadLetterAlert(
        Kind kind, String entity, @Nullable String reason, double value, String text) {
    /** The subject of an alert. */
    public enum Kind {
        /** Too many are open; the value is their number. */
        DEPTH,
        /** One has been open for too long; the value is its age in seconds. */
        AGE,
        /** Too many come; the value is their number in the last minute. */
        ARRIVALS,
        /** Nobody collects; the value is how many were seen on the broker, or -1 if nobody has looked. */
        UNCOLLECTED,
        /** Collecting fails; the value is since how many seconds. */
        FAILING,
        /** How things stand; the value is how many are open. */
        SUMMARY
    }
}
