package dev.waybill.deadletter;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a collector's turns until it is stopped; rests after failures, longer and longer. */
final class CollectorThread {
    private static final Logger LOG = LoggerFactory.getLogger(CollectorThread.class);
    /** A receive that finds nothing takes so long, and a stop waits for it. */
    private static final Duration WAIT = Duration.ofMillis(100);

    private static final long LONGEST_REST_MILLIS = 30_000;

    private final DeadLetterQueue queue;
    private final CollectorTurn turn;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;

    CollectorThread(DeadLetterQueue queue, CollectorTurn turn) {
        this.queue = queue;
        this.turn = turn;
        thread = new Thread(this::loop, "waybill-dead-letters-" + queue.entity().path());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Begins no further turn. */
    void stop() {
        stopping.countDown();
    }

    /** Waits for the turn and the completions under way, then closes the queue. */
    void end(Duration atMost) {
        try {
            thread.join(atMost.toMillis());
            if (!turn.drain(atMost)) {
                LOG.warn("Completions of {} are still on their way; they come again", queue.entity());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            queue.close();
        }
    }

    private void loop() {
        int failures = 0;
        try {
            while (stopping.getCount() > 0) {
                failures = turn.run(WAIT).failure() == null ? 0 : failures + 1;
                if (failures > 0) {
                    rest(failures);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void rest(int failures) throws InterruptedException {
        long longest = Math.min(LONGEST_REST_MILLIS, 500L << Math.min(failures, 10));
        boolean stopped =
                stopping.await(ThreadLocalRandom.current().nextLong(longest / 2, longest), TimeUnit.MILLISECONDS);
        LOG.debug("Rested after failure {}, stopped: {}", failures, stopped);
    }
}
