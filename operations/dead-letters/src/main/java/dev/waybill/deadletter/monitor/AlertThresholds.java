package dev.waybill.deadletter.monitor;

import java.time.Duration;

/**
 * From when on somebody should know.
 *
 * @param depth so many open ones of an entity and reason
 * @param age one that has been here for so long
 * @param arrivals so many of an entity and reason in a minute
 * @param quiet how long the same alert is not repeated
 */
public record AlertThresholds(long depth, Duration age, long arrivals, Duration quiet) {
    /** 1 dead letter, a day, 10 in a minute; the same alert once an hour. */
    public static final AlertThresholds DEFAULT = new AlertThresholds(1, Duration.ofDays(1), 10, Duration.ofHours(1));
}
