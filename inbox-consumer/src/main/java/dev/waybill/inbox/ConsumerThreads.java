package dev.waybill.inbox;

import dev.waybill.supervision.Outage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The threads of a consumer: what each of them does, and how they end. */
final class ConsumerThreads {
    private static final Duration LONGEST_REST = Duration.ofSeconds(30);
    private static final Duration BEAT = Duration.ofSeconds(3);

    private static final Duration EVENTS = Duration.ofSeconds(1);

    /** Between looks at a database that was found gone. */
    private static final Duration GATE_POLL = Duration.ofMillis(500);

    /** Most holds and deferrals that are handled side by side, as far as the concurrency goes. */
    private static final int MOST_ERRANDS = 16;

    private final ConsumerSettings settings;
    private final ConsumerParts parts;
    private final CountDownLatch stop;
    private final CountDownLatch end = new CountDownLatch(1);
    private final ConsumerLoops loops;
    private final SharedPoll errands;
    private final List<Work> works = new ArrayList<>();

    ConsumerThreads(ConsumerSettings settings, ConsumerParts parts, Pace pace, CountDownLatch stop) {
        this.settings = settings;
        this.parts = parts;
        this.stop = stop;
        loops = new ConsumerLoops(settings.name, pace);
        parts.gate.fault().share(loops.outage(), true);
        errands = new SharedPoll(settings.backgroundPollInterval, pace);
    }

    void start() {
        for (int i = 0; i < settings.concurrency; i++) {
            Work work = newWork();
            loops.add("" + i, () -> receive(work), LONGEST_REST);
        }
        for (int i = 0; i < Math.min(settings.concurrency, MOST_ERRANDS); i++) {
            Work work = newWork();
            loops.add("errands-" + i, () -> errand(work), LONGEST_REST);
        }
        loops.add("resumptions", this::meetResumptions, LONGEST_REST);
        loops.add("forgotten", this::reportForgotten, LONGEST_REST);
        if (parts.cleanUp != null) {
            loops.add("clean-up", this::cleanUp, Duration.ofMinutes(1));
        }
        loops.add(ConsumerLoops.ALIVE, this::beat, BEAT);
        loops.add("events", this::writeEvents, LONGEST_REST);
        loops.add("gate", this::openGate, GATE_POLL);
        var untilTheEnd = new Pace(System::nanoTime, pause -> !end.await(pause.toNanos(), TimeUnit.NANOSECONDS));
        loops.addLasting("watch", new LockWatchdog(List.copyOf(works)), untilTheEnd, GATE_POLL);
        loops.start();
    }

    /** The outage of the database that all loops share. */
    Outage outage() {
        return loops.outage();
    }

    boolean isStarted() {
        return loops.isStarted();
    }

    /** Whether the calling thread is one of them. */
    boolean isCurrent() {
        return loops.isCurrent();
    }

    ConsumerHealth health() {
        Throwable trouble = parts.gate.trouble();
        return new ConsumerHealth(
                isStarted() && stop.getCount() > 0,
                trouble == null ? null : Failures.brief(trouble),
                loops.health(),
                works.stream().flatMap(work -> work.hanging().stream()).toList());
    }

    /** After the stop was asked for: waits for messages under way, then interrupts them. */
    void drain() {
        errands.stopped();
        loops.join(settings.drain);
        loops.interrupt();
        loops.join(settings.afterInterrupt);
    }

    /** Ends what goes on while messages are under way; returns false if that was done before. */
    boolean end() {
        boolean first = end.getCount() > 0;
        end.countDown();
        return first;
    }

    private Work newWork() {
        Work work = parts.newWork();
        works.add(work);
        return work;
    }

    private Duration receive(Work work) throws InterruptedException {
        parts.receivers.run(work);
        return Duration.ZERO;
    }

    private Duration errand(Work work) throws InterruptedException, SQLException {
        boolean found = parts.gate.isOpen() && parts.holds.run(work, errands::found);
        found |= parts.gate.isOpen() && parts.resumes.run(work, errands::found);
        if (!found) {
            errands.rest();
        }
        return Duration.ZERO;
    }

    private Duration meetResumptions() throws SQLException {
        if (parts.gate.isOpen() && parts.resumptions.run() > 0) {
            errands.found();
        }
        return settings.backgroundPollInterval;
    }

    private Duration reportForgotten() throws SQLException {
        if (parts.gate.isOpen()) {
            parts.forgotten.run();
        }
        return settings.forgottenPoll();
    }

    private Duration cleanUp() throws SQLException {
        CleanUp cleanUp = parts.cleanUp;
        return cleanUp != null && parts.gate.isOpen() && cleanUp.run() ? Duration.ZERO : Duration.ofMinutes(1);
    }

    private Duration beat() throws SQLException {
        parts.holdCount.tell();
        if (parts.gate.isOpen()) {
            parts.instances.beat();
        }
        return BEAT;
    }

    private Duration writeEvents() {
        if (parts.gate.isOpen()) {
            settings.events.turn();
        }
        return EVENTS;
    }

    // Opens the gate, whichever thread has shut it: those that receive may all be waiting for the broker.
    private Duration openGate() throws InterruptedException {
        parts.gate.await(parts.pace().rest());
        return GATE_POLL;
    }
}
