package dev.waybill.inbox.run;

import dev.waybill.inbox.ConsumerHealth;
import dev.waybill.inbox.failure.FailureText;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.supervision.BackOff;
import dev.waybill.supervision.KeepAlive;
import dev.waybill.supervision.Outage;
import dev.waybill.supervision.SupervisedLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

final class ConsumerLoops {
    private static final Duration FIRST_REST = Duration.ofMillis(500);

    /** The heartbeat's loop. */
    static final String ALIVE = "alive";

    private final String consumer;
    private final WorkerClock clock;
    private final List<SupervisedLoop> ending = new ArrayList<>();
    private final List<SupervisedLoop> lasting = new ArrayList<>();
    private final Outage outage;
    private boolean started;
    private @Nullable KeepAlive alive;

    ConsumerLoops(String consumer, WorkerClock clock) {
        this.consumer = consumer;
        this.clock = clock;
        outage = new Outage("consumer '" + consumer + "'", System::nanoTime);
    }

    Outage outage() {
        return outage;
    }

    /** Adds a loop that ends when the consumer stops. */
    synchronized void add(String name, SupervisedLoop.Turn turn, Duration longestRest) {
        ending.add(loop(name, turn, clock, longestRest));
    }

    /** Adds a loop that ends by its own clock. */
    synchronized void addLasting(String name, SupervisedLoop.Turn turn, WorkerClock own, Duration longestRest) {
        lasting.add(loop(name, turn, own, longestRest));
    }

    private SupervisedLoop loop(String name, SupervisedLoop.Turn turn, WorkerClock own, Duration longestRest) {
        var backOff = new BackOff(FIRST_REST, longestRest);
        var loop = new SupervisedLoop("waybill-inbox-" + consumer + "-" + name, turn, backOff, own);
        // The other loops back off for longer after a failure, so the outage does not wait for them.
        loop.share(outage, name.equals(ALIVE));
        return loop;
    }

    void start() {
        synchronized (this) {
            started = true;
            alive = KeepAlive.start("waybill-inbox-" + consumer + "-lives");
        }
        all().forEach(SupervisedLoop::start);
    }

    synchronized boolean isStarted() {
        return started;
    }

    boolean isCurrent() {
        return all().stream().anyMatch(SupervisedLoop::isCurrent);
    }

    /** Waits for the loops that end with the consumer, at most for the given time. An interrupt does not shorten the wait. */
    void join(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (SupervisedLoop loop : ending()) {
            loop.join(Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
    }

    /** After the end of the consumer: a handler that hangs does not keep the process. */
    synchronized void letProcessEnd() {
        if (alive != null) {
            alive.close();
        }
    }

    void interrupt() {
        ending().forEach(SupervisedLoop::interrupt);
    }

    List<ConsumerHealth.Loop> health() {
        return all().stream().map(ConsumerLoops::health).toList();
    }

    private static ConsumerHealth.Loop health(SupervisedLoop loop) {
        SupervisedLoop.State state = loop.state();
        SupervisedLoop.Failure last = state.last();
        return new ConsumerHealth.Loop(
                loop.name(),
                state.alive(),
                state.failures(),
                last == null ? null : last.ago(),
                last == null ? null : FailureText.brief(last.thrown()));
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
