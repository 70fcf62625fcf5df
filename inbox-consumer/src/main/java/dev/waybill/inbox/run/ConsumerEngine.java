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

/**
 * The parts of a consumer, put together, and its threads: what each of them does, and how they end. Thread-safe where {@code
 * InboxConsumer} is.
 */
public final class ConsumerEngine {
    private static final Duration LONGEST_REST = Duration.ofSeconds(30);
    private static final Duration BEAT = Duration.ofSeconds(3);

    /** What an interrupted handler gets to return in. */
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(5);

    private static final Duration EVENTS = Duration.ofSeconds(1);

    /** Between looks at a database that was found gone. */
    private static final Duration GATE_POLL = Duration.ofMillis(500);

    /** Most holds and deferrals that are handled side by side, as far as the concurrency goes. */
    private static final int MOST_ERRANDS = 16;

    private final ConsumerSettings settings;
    private final ConsumerParts parts;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final ConsumerLoops loops;
    private final SharedPoll errands;
    private final List<InFlightWork> works = new ArrayList<>();

    /** Nothing is asked of the database yet. */
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

    /** Starts the threads. */
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

    /** The outage of the database that all loops share. */
    public Outage outage() {
        return loops.outage();
    }

    /** Whether the threads were started. */
    public boolean isStarted() {
        return loops.isStarted();
    }

    /** Whether the calling thread is one of them. */
    public boolean isCurrent() {
        return loops.isCurrent();
    }

    /** Whether the stop was asked for. */
    public boolean isStopping() {
        return stop.getCount() == 0;
    }

    /** Asks for the stop. */
    public void stop() {
        stop.countDown();
    }

    /** Records a heartbeat of this process. */
    public void beat() throws SQLException {
        parts.heartbeat.beat();
    }

    /**
     * Refuses connections whose transactions have another isolation level than the consumer's statements need.
     *
     * @throws IllegalStateException naming the level
     */
    public static void requireIsolation(DSLContext dsl) {
        String isolation = dsl.fetchSingle("select current_setting('transaction_isolation')")
                .get(0, String.class);
        if (!isolation.equals(PreconditionQuery.ISOLATION)) {
            throw new IllegalStateException(PreconditionQuery.refusal(isolation));
        }
    }

    /**
     * Makes sure that the transactions of handlers are what they have to be.
     *
     * @throws IllegalStateException if they are not
     * @throws SQLException if that cannot be found out because the database cannot be reached
     */
    public void requireTransactions() throws SQLException, InterruptedException {
        parts.transactions.prove();
    }

    /** From here on a connection is waited for no longer than a stop may take. */
    public BoundedWaits.Limit limitWaits() {
        return parts.waits.limit(BoundedWaits.AT_A_STOP);
    }

    /** Writes the remaining events, and records that this process is gone. */
    public void leave() {
        parts.events.flush();
        parts.heartbeat.leave();
    }

    /** How it is at this moment. */
    public ConsumerHealth health() {
        Throwable trouble = parts.gate.trouble();
        return new ConsumerHealth(
                isStarted() && !isStopping(),
                trouble == null ? null : FailureText.brief(trouble),
                loops.health(),
                works.stream().flatMap(work -> work.hanging().stream()).toList());
    }

    /** After the stop was asked for: waits for messages under way, then interrupts them. */
    public void drain() {
        errands.stopped();
        loops.join(settings.times().drain());
        loops.interrupt();
        loops.join(AFTER_INTERRUPT);
    }

    /** Ends what goes on while messages are under way; returns false if that was done before. */
    public boolean end() {
        boolean first = end.getCount() > 0;
        end.countDown();
        return first;
    }

    private InFlightWork newWork() {
        InFlightWork work = parts.newWork();
        works.add(work);
        return work;
    }

    private Duration receive(InFlightWork work) throws InterruptedException {
        parts.receivers.run(work);
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

    private Duration alive() throws SQLException {
        parts.holdCount.tell();
        if (parts.gate.isOpen()) {
            parts.heartbeat.beat();
        }
        return BEAT;
    }

    private Duration writeEvents() {
        if (parts.gate.isOpen()) {
            parts.events.turn();
        }
        return EVENTS;
    }

    // Opens the gate, whichever thread has shut it: those that receive may all be waiting for the broker.
    private Duration openGate() throws InterruptedException {
        parts.gate.await(parts.clock().sleep());
        return GATE_POLL;
    }
}
