package dev.waybill.deadletter;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters with something in common.
 *
 * @param key the values by which they were grouped, in the order asked for; null where they have none
 * @param count how many
 * @param oldestAge since the first of them was enqueued in its entity
 * @param longestHere since the first of them was collected
 */
public record DeadLetterGroup(List<@Nullable String> key, long count, Duration oldestAge, Duration longestHere) {}
