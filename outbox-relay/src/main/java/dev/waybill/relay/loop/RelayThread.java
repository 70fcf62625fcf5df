package dev.waybill.relay.loop;

import dev.waybill.supervision.BackOff;
import dev.waybill.supervision.StopSignal;
import dev.waybill.supervision.SupervisedLoop;
import java.time.Duration;
import java.util.function.Supplier;

/** A supervised loop whose step returns the pause after it. */
final class RelayThread {
    private static final BackOff AFTER_FAILURE = new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(1));

    private final StopSignal signal;
    private final SupervisedLoop loop;

    RelayThread(String name, Supplier<Duration> step) {
        this(name, step, () -> {}, new StopSignal());
    }

    /** {@code last} runs after the last turn; {@code signal} ends a pause. */
    RelayThread(String name, Supplier<Duration> step, Runnable last, StopSignal signal) {
        this.signal = signal;
        loop = new SupervisedLoop(name, step::get, AFTER_FAILURE, signal, last);
    }

    void start() {
        loop.start();
    }

    boolean isCurrent() {
        return loop.isCurrent();
    }

    /** Lets the current turn be the last. */
    void stop() {
        signal.stop();
    }

    /** Waits at most that long for the end of the last turn. An interrupt does not end the wait, and is kept. */
    void join(Duration patience) {
        loop.join(patience);
    }
}
