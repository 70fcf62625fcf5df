package dev.waybill.relay.loop;

import java.time.Duration;

/**
 * Limits the rate of reads: at once after a partial read, else after the poll interval or ten times a read's duration. A
 * wake-up allows a read one pause earlier, so that an empty poll does not delay a new message. Confined to the loop's thread.
 */
final class ReadPace {
    private static final long LONGEST_REST = Duration.ofMillis(100).toNanos();

    private final long shortest;
    private long rest;
    private long restsUntil;
    private long lastTook;
    private boolean more;

    ReadPace(Duration shortest, long now) {
        this.shortest = shortest.toNanos();
        rest = this.shortest;
        restsUntil = now;
    }

    /**
     * {@code took} is the database's time, of which the shorter of two counts; {@code cut} means that more rows may be pending.
     */
    void after(long begunAt, long took, boolean cut) {
        rest = Math.max(shortest, Math.min(10 * Math.min(took, lastTook), LONGEST_REST));
        lastTook = took;
        restsUntil = Math.min(Math.max(restsUntil, begunAt), begunAt + rest) + rest;
        more = cut;
    }

    void restart(long now) {
        more = false;
        restsUntil = now;
    }

    /** @param woken whether a writer has woken the loop */
    long mayReadAt(boolean woken) {
        return more ? restsUntil - 2 * rest : woken ? restsUntil - rest : restsUntil;
    }
}
