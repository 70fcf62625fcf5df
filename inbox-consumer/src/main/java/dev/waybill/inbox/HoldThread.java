package dev.waybill.inbox;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for holds that are due, again and again until the consumer stops. */
final class HoldThread implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(HoldThread.class);

    private final String consumer;
    private final HoldTurn turn;
    private final Work work;
    private final Pace pace;
    private final Duration poll;

    HoldThread(String consumer, HoldTurn turn, Work work, Pace pace, Duration poll) {
        this.consumer = consumer;
        this.turn = turn;
        this.work = work;
        this.pace = pace;
        this.poll = poll;
    }

    @Override
    public void run() {
        try {
            while (!pace.stopping()) {
                if (!found()) {
                    pace.rest().during(poll);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean found() throws InterruptedException {
        try {
            return turn.run(work);
        } catch (RuntimeException | Error e) {
            LOG.warn("Consumer '{}' could not look at its holds", consumer, e);
            return false;
        }
    }
}
