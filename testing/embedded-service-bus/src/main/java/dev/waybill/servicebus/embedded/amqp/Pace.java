package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.loop.Timers;

/**
 * Limits the delivery rate of a link. Azure's client for Java buffers 256 transfers and closes a link that exceeds them, although it
 * may have granted thousands of credits. A link whose credit fits the buffer has no limit. Any other starts with a burst that fits,
 * then a rate that rises while the client warms up.
 */
final class Pace {
    private static final int BURST = 200;
    private static final double FIRST_PER_MILLI = 0.5;
    private static final double MOST_PER_MILLI = 50;
    private static final double MILLIS_TO_DOUBLE = 250;
    private static final int PAUSE_MILLIS = 2;

    private final Timers timers;
    private final Runnable resumed;
    private double tokens = BURST;
    private long since;
    private long refilled;
    private boolean needed;
    private boolean pausing;

    Pace(Timers timers, Runnable resumed) {
        this.timers = timers;
        this.resumed = resumed;
    }

    void credit(int credit) {
        if (!needed && credit > BURST) {
            needed = true;
            since = timers.now();
            refilled = since;
        }
    }

    /** How many deliveries may go now. If none may, the link is resumed later. */
    int left() {
        if (!needed) {
            return Integer.MAX_VALUE;
        }
        refill();
        if (tokens < 1 && !pausing) {
            pausing = true;
            timers.in(PAUSE_MILLIS, this::resume);
        }
        return (int) tokens;
    }

    void spend() {
        if (needed) {
            tokens--;
        }
    }

    private void refill() {
        long now = timers.now();
        double rate = Math.min(MOST_PER_MILLI, FIRST_PER_MILLI * Math.pow(2, (now - since) / MILLIS_TO_DOUBLE));
        tokens = Math.min(BURST, tokens + (now - refilled) * rate);
        refilled = now;
    }

    private void resume() {
        pausing = false;
        resumed.run();
    }
}
