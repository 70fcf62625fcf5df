package dev.waybill.relay.loop;

import java.time.Duration;

/**
 * When the loop may read again: at once after a read that was cut; else after the interval, or ten times what a read takes. A
 * message whose writer has woken the loop need not wait because a poll has just found nothing: it may be read one rest ahead.
 * Confined to the loop's thread.
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
     * After a read.
     *
     * @param begunAt when it began
     * @param took how long the database was busy with it; one of two may have been held up, so the shorter one counts
     * @param cut whether there may be more
     */
    void after(long begunAt, long took, boolean cut) {
        rest = Math.max(shortest, Math.min(10 * Math.min(took, lastTook), LONGEST_REST));
        lastTook = took;
        restsUntil = Math.min(Math.max(restsUntil, begunAt), begunAt + rest) + rest;
        more = cut;
    }

    /** The next read may begin now. */
    void restart(long now) {
        more = false;
        restsUntil = now;
    }

    /** @param woken whether somebody has told that there may be something new */
    long mayReadAt(boolean woken) {
        return more ? restsUntil - 2 * rest : woken ? restsUntil - rest : restsUntil;
    }
}
