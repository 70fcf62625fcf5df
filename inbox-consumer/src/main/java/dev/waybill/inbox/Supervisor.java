package dev.waybill.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps all threads of a consumer going: one that has ended although nobody stops it is started anew. Thread-safe. */
final class Supervisor implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final String consumer;
    private final Pace pace;
    private final List<SupervisedLoop> ending = new ArrayList<>();
    private final List<SupervisedLoop> lasting = new ArrayList<>();
    private boolean started;

    Supervisor(String consumer, Pace pace) {
        this.consumer = consumer;
        this.pace = pace;
    }

    /** One loop more, to be started with the others, and to end when the consumer stops. */
    synchronized void add(String name, SupervisedLoop.Turn turn, Duration longestRest) {
        ending.add(loop(name, turn, pace, longestRest));
    }

    /** One that goes on until it is told by a pace of its own. */
    synchronized void addLasting(String name, SupervisedLoop.Turn turn, Pace own, Duration longestRest) {
        lasting.add(loop(name, turn, own, longestRest));
    }

    private SupervisedLoop loop(String name, SupervisedLoop.Turn turn, Pace own, Duration longestRest) {
        String title = "Consumer '" + consumer + "': " + name;
        return new SupervisedLoop("waybill-inbox-" + consumer + "-" + name, title, turn, own, longestRest);
    }

    void start() {
        synchronized (this) {
            started = true;
        }
        all().forEach(SupervisedLoop::start);
        var thread = new Thread(this, "waybill-inbox-" + consumer + "-supervisor");
        thread.setDaemon(true);
        thread.start();
    }

    synchronized boolean isStarted() {
        return started;
    }

    @Override
    public void run() {
        while (!pace.stopping()) {
            look();
        }
    }

    private void look() {
        try {
            if (pace.rest().during(LOOK)) {
                all().forEach(SupervisedLoop::start);
            }
        } catch (Throwable e) {
            // An interrupt that asks for no stop, or no memory for another thread just now.
            LOG.warn("Consumer '{}': its threads could not be looked after", consumer, e);
        }
    }

    /** Waits until all have ended that end when the consumer stops; returns in any case after that time. */
    void join(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (SupervisedLoop loop : ending()) {
            loop.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
    }

    void interrupt() {
        ending().forEach(SupervisedLoop::interrupt);
    }

    List<ConsumerHealth.Loop> health() {
        return all().stream().map(SupervisedLoop::health).toList();
    }

    private synchronized List<SupervisedLoop> ending() {
        return List.copyOf(ending);
    }

    private synchronized List<SupervisedLoop> all() {
        var all = new ArrayList<>(ending);
        all.addAll(lasting);
        return all;
    }
}
