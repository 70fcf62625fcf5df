package dev.waybill.inbox;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes turn after turn until its consumer stops; after a failure it rests, longer from time to time. */
final class Worker implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final Duration FIRST_REST = Duration.ofMillis(500);
    private static final int LONGEST_REST_DOUBLINGS = 6;

    private final String consumer;
    private final ReceiverTurn turn;
    private final Work work;
    private final Pace pace;

    Worker(String consumer, ReceiverTurn turn, Work work, Pace pace) {
        this.consumer = consumer;
        this.turn = turn;
        this.work = work;
        this.pace = pace;
    }

    @Override
    public void run() {
        int failures = 0;
        try {
            while (!pace.stopping()) {
                failures = tookTurn() ? 0 : failures + 1;
                if (failures > 0) {
                    pace.rest().during(restAfter(failures));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean tookTurn() throws InterruptedException {
        try {
            turn.run(work);
            return true;
        } catch (RuntimeException | Error e) {
            if (!pace.stopping()) {
                LOG.warn("Consumer '{}' could not receive and tries again", consumer, e);
            }
            return false;
        }
    }

    // With jitter, so that workers who failed together, as when the broker throttles, do not come back together.
    private static Duration restAfter(int failures) {
        long longest = FIRST_REST.toMillis() << Math.min(failures - 1, LONGEST_REST_DOUBLINGS);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
    }
}
