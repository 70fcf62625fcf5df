package dev.waybill.inbox.run;

import dev.waybill.inbox.ConsumerHealth;
import dev.waybill.inbox.failure.FailureText;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.lock.LockWatchdog;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.record.PreconditionQuery;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.supervision.BoundedWaits;
import dev.waybill.supervision.Outage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;

/** Assembles a consumer and runs its threads. Thread-safe to the extent of {@code InboxConsumer}. */
public final class ConsumerEngine {
    private static final Duration LONGEST_REST = Duration.ofSeconds(30);
    private static final Duration BEAT = Duration.ofSeconds(3);

    /** With a beat, shorter than a heartbeat counts. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);

    /** How long an interrupted handler may take to return. */
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(5);

    private static final Duration EVENTS = Duration.ofSeconds(1);

    /** Interval between polls of an unavailable database. */
    private static final Duration GATE_POLL = Duration.ofMillis(500);

    /** The most threads for holds and deferrals, up to the concurrency. */
    private static final int MOST_ERRANDS = 16;

    private final ConsumerSettings settings;
    private final ConsumerParts parts;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final ConsumerLoops loops;
    private final SharedPoll errands;
    private final List<InFlightWork> works = new ArrayList<>();

    /** Makes no call to the database. */
    public ConsumerEngine(ConsumerSettings settings) {
        this.settings = settings;
        var clock = new WorkerClock(System::nanoTime, this::rest);
        parts = new ConsumerParts(settings, clock);
        loops = new ConsumerLoops(settings.store().consumer(), clock);
        parts.gate.fault().share(loops.outage(), true);
        errands = new SharedPoll(settings.times().backgroundPollInterval(), clock);
    }

    private boolean rest(Duration pause) throws InterruptedException {
        return !stop.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    public void start() {
        for (int i = 0; i < settings.receiving().concurrency(); i++) {
            InFlightWork work = newWork();
            loops.add("" + i, () -> receive(work), LONGEST_REST);
        }
        for (int i = 0; i < Math.min(settings.receiving().concurrency(), MOST_ERRANDS); i++) {
            InFlightWork work = newWork();
            loops.add("errands-" + i, () -> errand(work), LONGEST_REST);
        }
        loops.add("resumptions", this::meetResumptions, LONGEST_REST);
        loops.add("forgotten", this::reportForgotten, LONGEST_REST);
        if (parts.cleanUp != null) {
            loops.add("clean-up", this::cleanUp, Duration.ofMinutes(1));
        }
        loops.add(ConsumerLoops.ALIVE, this::alive, BEAT);
        loops.add("events", this::writeEvents, LONGEST_REST);
        loops.add("gate", this::openGate, GATE_POLL);
        var untilTheEnd = new WorkerClock(System::nanoTime, pause -> !end.await(pause.toNanos(), TimeUnit.NANOSECONDS));
        loops.addLasting("watch", new LockWatchdog(List.copyOf(works)), untilTheEnd, GATE_POLL);
        loops.start();
    }

    /** The database outage that all loops share. */
    public Outage outage() {
        return loops.outage();
    }

    public boolean isStarted() {
        return loops.isStarted();
    }

    /** Whether the calling thread is one of the consumer's. */
    public boolean isCurrent() {
        return loops.isCurrent();
    }

    public boolean isStopping() {
        return stop.getCount() == 0;
    }

    public void stop() {
        stop.countDown();
    }

    public void beat() throws SQLException {
        parts.heartbeat.beat();
    }

    /** Throws {@link IllegalStateException} if the isolation level is not READ COMMITTED. */
    public static void requireIsolation(DSLContext dsl) {
        String isolation = dsl.fetchSingle("select current_setting('transaction_isolation')")
                .get(0, String.class);
        if (!isolation.equals(PreconditionQuery.ISOLATION)) {
            throw new IllegalStateException(PreconditionQuery.refusal(isolation));
        }
    }

    public void requireTransactions() throws SQLException, InterruptedException {
        parts.transactions.prove();
    }

    /** Limits waits for connections from here on, for a fast stop. */
    public BoundedWaits.Limit limitWaits() {
        return parts.waits.limit(BoundedWaits.AT_A_STOP);
    }

    /** Writes the remaining events and removes this process's heartbeat. */
    public void leave() {
        parts.events.flush();
        parts.heartbeat.leave();
    }

    public ConsumerHealth health() {
        Throwable trouble = parts.gate.trouble();
        return new ConsumerHealth(
                isStarted() && !isStopping(),
                trouble == null ? null : FailureText.brief(trouble),
                parts.reception.trouble(),
                loops.health(),
                works.stream().flatMap(work -> work.hanging().stream()).toList());
    }

    /** After {@link #stop}: waits for messages in flight, then interrupts their handlers. */
    public void drain() {
        errands.stopped();
        loops.join(settings.times().drain());
        loops.interrupt();
        loops.join(AFTER_INTERRUPT);
    }

    /** Ends the loops that outlast the drain; returns false if they had ended before. */
    public boolean end() {
        boolean first = end.getCount() > 0;
        end.countDown();
        loops.letProcessEnd();
        return first;
    }

    private InFlightWork newWork() {
        InFlightWork work = parts.newWork();
        works.add(work);
        return work;
    }

    private Duration receive(InFlightWork work) throws InterruptedException {
        parts.reception.during(() -> parts.receivers.run(work));
        return Duration.ZERO;
    }

    private Duration errand(InFlightWork work) throws InterruptedException, SQLException {
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
        return settings.times().backgroundPollInterval();
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

    private Duration alive() throws SQLException, InterruptedException {
        parts.holdCount.log();
        String trouble = parts.reception.trouble();
        if (parts.gate.isOpen()) {
            parts.heartbeat.beat(trouble);
        }
        parts.reception.prove(settings.application().source(), LONGEST_ANSWER);
        return BEAT;
    }

    private Duration writeEvents() {
        if (parts.gate.isOpen()) {
            parts.events.turn();
        }
        return EVENTS;
    }

    // A loop of its own, because all receiving threads may be waiting for the broker.
    private Duration openGate() throws InterruptedException {
        parts.gate.await(parts.clock().sleep());
        return GATE_POLL;
    }
}
