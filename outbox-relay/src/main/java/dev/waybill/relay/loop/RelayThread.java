package dev.waybill.relay.loop;

import dev.waybill.supervision.BackOff;
import dev.waybill.supervision.StopSignal;
import dev.waybill.supervision.SupervisedLoop;
import java.time.Duration;
import java.util.function.Supplier;

/** A supervised loop of a relay. The step decides what a turn does and how long to rest after it. */
final class RelayThread {
    private static final BackOff AFTER_FAILURE = new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(1));

    private final StopSignal signal;
    private final SupervisedLoop loop;

    /** @param step takes one turn and says how long to rest */
    RelayThread(String name, Supplier<Duration> step) {
        this(name, step, () -> {}, new StopSignal());
    }

    /**
     * The same with something to do when it is stopped.
     *
     * @param last done by the thread itself after its last turn
     * @param signal ends a rest
     */
    RelayThread(String name, Supplier<Duration> step, Runnable last, StopSignal signal) {
        this.signal = signal;
        loop = new SupervisedLoop(name, step::get, AFTER_FAILURE, signal, last);
    }

    void start() {
        loop.start();
    }

    /** Whether the calling thread is this one. */
    boolean isCurrent() {
        return loop.isCurrent();
    }

    /** Lets the turn under way be the last. */
    void stop() {
        signal.stop();
    }

    /** Waits for the end of the last turn, at most that long. An interrupt does not end the wait, and is kept. */
    void join(Duration patience) {
        loop.join(patience);
    }
}
