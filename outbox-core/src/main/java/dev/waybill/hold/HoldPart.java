package dev.waybill.hold;

import java.time.Instant;

/**
 * A snapshot of the first holds that a filter selects, for a later decision about exactly these holds.
 *
 * @param more whether the filter selects further holds
 * @param last the id of the last hold; 0 if there is none
 * @param at the time of the snapshot, by the database's clock
 */
public record HoldPart(long count, boolean more, long last, Instant at) {
    /**
     * The holds of this snapshot without an attempt since then. New messages may have joined. {@code filter} made the snapshot.
     */
    public HoldFilter untried(HoldFilter filter) {
        return filter.untried(last, at);
    }

    /** As {@link #untried}, also without any other change; for actions that cannot be undone. */
    public HoldFilter unchanged(HoldFilter filter) {
        return filter.untried(last, at).unchanged(at);
    }
}
