package dev.waybill.inbox;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes turns of one kind, again and again until the consumer stops, with a rest when there was nothing to do. */
final class ErrandThread implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ErrandThread.class);

    private final String name;
    private final Errand errand;
    private final Pace pace;
    private final Duration poll;

    ErrandThread(String name, Errand errand, Pace pace, Duration poll) {
        this.name = name;
        this.errand = errand;
        this.pace = pace;
        this.poll = poll;
    }

    /** One turn. */
    @FunctionalInterface
    interface Errand {
        /** Returns whether there may be more to do at once. */
        boolean run() throws Exception;
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
            return errand.run();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | Error e) {
            if (!pace.stopping()) {
                LOG.warn("{} failed and is tried again", name, e);
            }
            return false;
        }
    }
}
