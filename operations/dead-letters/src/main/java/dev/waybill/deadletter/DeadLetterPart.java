package dev.waybill.deadletter;

import java.time.Instant;

/**
 * The first letters of a filter as they were at a moment: so many as a person can decide about at once. It can be
 * written down, and the decision made later about these letters and no others.
 *
 * @param count how many they are
 * @param more whether the filter names letters behind them
 * @param last the number of the last one; 0 if there is none
 * @param at the moment, by the database's clock
 */
public record DeadLetterPart(long count, boolean more, long last, Instant at) {
    /**
     * The letters of the part that have not changed since.
     *
     * @param filter the one that it is a part of
     */
    public DeadLetterFilter of(DeadLetterFilter filter) {
        return filter.upTo(last, at);
    }
}
