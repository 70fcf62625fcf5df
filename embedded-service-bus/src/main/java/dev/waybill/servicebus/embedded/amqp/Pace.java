package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.loop.Timers;

/**
 * Keeps deliveries to one link from coming in one burst, however much credit it has given: the Java client buffers a
 * few hundred transfers and closes a link that brings more at once.
 */
final class Pace {
    private static final int BURST = 100;
    private static final int PAUSE_MILLIS = 2;

    private final Timers timers;
    private final Runnable resumed;
    private int left = BURST;
    private boolean pausing;

    Pace(Timers timers, Runnable resumed) {
        this.timers = timers;
        this.resumed = resumed;
    }

    int left() {
        return left;
    }

    void spend() {
        left--;
        if (!pausing) {
            pausing = true;
            timers.in(PAUSE_MILLIS, this::resume);
        }
    }

    private void resume() {
        pausing = false;
        boolean stopped = left == 0;
        left = BURST;
        if (stopped) {
            resumed.run();
        }
    }
}
