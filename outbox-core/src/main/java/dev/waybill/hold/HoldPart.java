package dev.waybill.hold;

import java.time.Instant;

/**
 * The first holds of a filter as they were at a moment: so many as a person can decide about at once. It can be written
 * down, and the decision made later about these holds and no others.
 *
 * @param count how many they are
 * @param more whether the filter names holds behind them
 * @param last the number of the last one; 0 if there is none
 * @param at the moment, by the database's clock
 */
public record HoldPart(long count, boolean more, long last, Instant at) {
    /**
     * The holds of the part that have not been tried since; messages may have joined them.
     *
     * @param filter the one that it is a part of
     */
    public HoldFilter untried(HoldFilter filter) {
        return filter.untried(last, at);
    }

    /**
     * Those of them that nobody has changed since, nor added to, for what cannot be taken back.
     *
     * @param filter the one that it is a part of
     */
    public HoldFilter unchanged(HoldFilter filter) {
        return filter.untried(last, at).unchanged(at);
    }
}
