package dev.waybill.relay;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.LocalRelay;
import dev.waybill.relay.loop.RelayEngine;
import dev.waybill.relay.loop.RelaySettings;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.BoundedWaits;
import dev.waybill.supervision.DeferredInterrupts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the outbox of one schema. Any number of relays may run against the same schema, in one process or
 * many: they share the work by leases, whichever destinations each of them serves. Thread-safe.
 *
 * <p>Needs up to four connections from the pool: one for its loop, one for its heartbeat, one for scheduled messages, and one to be
 * woken by writers in other processes ({@link RelayTuning#listening}). The pool's auto-commit mode does not matter. The connections
 * must reach the primary; a pooler that shares server connections between transactions will do, but it lets no writer in another
 * process wake the relay.
 */
public final class Relay implements AutoCloseable, LocalRelay {
    private static final String CLOSED = "This relay has been closed; build another one";

    private final RelayEngine engine;
    private final SignOn signOn;
    private final AtomicReference<Mode> mode = new AtomicReference<>(Mode.NEW);

    /** Held by a start, a single turn and a close, so that none of them meets another half done. */
    private final ReentrantLock life = new ReentrantLock();

    private Relay(RelaySettings settings) {
        engine = new RelayEngine(settings);
        signOn = new SignOn(settings, engine);
    }

    /**
     * Starts the settings of a relay on a connection pool. The pool stays the caller's.
     *
     * @param dataSource whose connections belong to no transaction; one that gives out the connection of the thread's
     *     transaction is refused inside a transaction
     */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /**
     * Takes the first leases and starts to publish. May be called again if it has thrown because of the database.
     *
     * @return this
     * @throws IllegalStateException if the tables are missing or older than this code, or a grant is missing, if
     *     row level security may hide rows from the relay's role, if the database's encoding is SQL_ASCII, if bodies
     *     would be stored as other bytes through such connections, if the data source gives one connection to two callers
     *     at once or one inside an open transaction, or if the relay was started or closed before, or takes single turns
     * @throws DataAccessException if the database cannot be reached
     */
    public Relay start() {
        life.lock();
        try {
            require(mode.get() != Mode.THREADS, "This relay has been started before");
            require(mode.get() != Mode.TURNS, "This relay takes single turns; build another one to be started");
            signOnAs(Mode.THREADS);
            engine.start();
            return this;
        } finally {
            life.unlock();
        }
    }

    // A close waits for the lock, but not for ever.
    private void signOnAs(Mode next) {
        Mode before = mode.get();
        require(before != Mode.CLOSED, CLOSED);
        signOn.run(next == Mode.THREADS);
        require(mode.compareAndSet(before, next), CLOSED);
    }

    /**
     * Instead of {@link #start}: publishes what is committed and due now, in the calling thread, and returns; for
     * tests and for jobs that run from time to time. May be called again, by one thread at a time, and ends with
     * {@link #close}. What another relay owns is left to it. A call sends
     * for no longer than its lease is trusted, three quarters of {@link RelayTuning#leaseDuration}: with a large
     * backlog, call again until it returns 0. Messages whose time has come wait on if their session is being
     * appended to all through the call. Nothing is tidied up between the calls.
     *
     * @return how many messages the broker has accepted; what it has not accepted waits, or is held
     * @throws IllegalStateException if the relay was started or closed, if the data source gives the same connection to
     *     whatever this thread asks for, or as {@link #start}
     * @throws DataAccessException if the database fails. If only the messages whose time has come could not be
     *     moved, it is thrown after all others were sent
     */
    public int publishCommitted() {
        life.lock();
        try {
            require(mode.get() != Mode.THREADS, "This relay was started and publishes by itself");
            signOnAs(Mode.TURNS);
            return engine.publishCommitted();
        } finally {
            life.unlock();
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException(message);
        }
    }

    private enum Mode {
        NEW,
        THREADS,
        TURNS,
        CLOSED
    }

    /** Says that there may be something to publish; for applications that embed the relay, after their commits. */
    public void wake() {
        engine.wake();
    }

    /**
     * The same for one destination; an outbox in the same process calls it after its commits
     * ({@link dev.waybill.outbox.Outbox.Builder#relay}).
     *
     * @return whether this relay owns the destination, so that no other need be told: false if it does not, cannot renew its
     *     lease, is closing, or takes single turns
     */
    @Override
    public boolean wake(String destination) {
        return engine.wake(destination);
    }

    /**
     * Lets what is on its way arrive, at most for the longest send of the publisher, gives its destinations back and
     * closes the publisher. A connection is waited for no longer than 5 s; without one, the destinations are free when the
     * lease has run out. An interrupt cuts none of this short, and is kept. Idempotent.
     *
     * <p>Called by the relay's own threads, as the publisher is, it returns at once, and the relay closes when they
     * have come back.
     */
    @Override
    public void close() {
        if (life.isHeldByCurrentThread() || engine.isOwnThread()) {
            var closing = new Thread(this::closeNow, "waybill-relay-close");
            closing.setDaemon(true);
            closing.start();
        } else {
            closeNow();
        }
    }

    private void closeNow() {
        try (var interrupts = new DeferredInterrupts();
                BoundedWaits.Limit limit = engine.limitWaits()) {
            boolean alone = interrupts.await(engine.patience(), nanos -> life.tryLock(nanos, TimeUnit.NANOSECONDS));
            try {
                Mode before = mode.getAndSet(Mode.CLOSED);
                if (before != Mode.CLOSED) {
                    engine.end(alone && before == Mode.TURNS, limit, interrupts);
                }
            } finally {
                if (alone) {
                    life.unlock();
                }
            }
        }
    }

    /** Collects the settings of a relay. Not thread-safe. */
    public static final class Builder {
        private static final Duration MOMENT = Duration.ofNanos(1);
        private static final Duration LONGEST_RETENTION = Duration.ofDays(14);

        /** The database's time is subtracted from, and has a beginning. */
        private static final Duration OLDEST = Duration.ofDays(36_500);

        private final DataSource dataSource;
        private final Map<String, HoldPolicy> destinations = new LinkedHashMap<>();
        private final Map<String, Duration> retained = new LinkedHashMap<>();
        private SchemaName schema = SchemaName.DEFAULT;
        private String name = "relay-" + ProcessHandle.current().pid();
        private @Nullable Publisher publisher;
        private RelaySettings.@Nullable Claims claims;
        private final RelayTuning tuning = new RelayTuning();

        private Builder(DataSource dataSource) {
            this.dataSource = Objects.requireNonNull(dataSource, "A relay needs a data source");
        }

        /** The schema of Waybill's tables. Default: {@link SchemaName#DEFAULT}. */
        public Builder schema(SchemaName schema) {
            this.schema = Setting.nonNull(schema, "The schema");
            return this;
        }

        /**
         * The name that operators see. Default: {@code relay-<process id>}.
         *
         * @throws IllegalArgumentException if it is blank, or has a character 0
         */
        public Builder name(String name) {
            this.name = Setting.storable(name, "A relay's name");
            return this;
        }

        /**
         * Adds a queue or topic to publish to. Rows for destinations that no relay names wait.
         *
         * @throws IllegalArgumentException if it is blank, begins or ends with a blank, or has a character 0
         */
        public Builder destination(String destination) {
            return destination(destination, HoldPolicy.HOLD_SESSION);
        }

        /** The same with another policy for refused messages than {@link HoldPolicy#HOLD_SESSION}. */
        public Builder destination(String destination, HoldPolicy policy) {
            Setting.storable(destination, "A destination's name");
            Setting.nonNull(policy, "The policy of destination '" + destination + "'");
            Setting.require(
                    destination.strip().equals(destination),
                    "A destination's name begins and ends with no blank, as '" + destination + "' does");
            destinations.put(destination, policy);
            return this;
        }

        /**
         * Keeps what was published to a destination for so long, up to 14 days, in the tables of the feature {@code retention}: for
         * replays and the trace. Default: it is deleted when the broker has it.
         *
         * @throws IllegalArgumentException unless the time is positive and at most 14 days
         */
        public Builder retain(String destination, Duration time) {
            Setting.nonNull(destination, "A destination");
            retained.put(
                    destination,
                    Setting.within(
                            MOMENT, time, LONGEST_RETENTION, "Published messages are retained for up to 14 days"));
            return this;
        }

        /** The way to the broker; the relay closes it. */
        public Builder publisher(Publisher publisher) {
            this.publisher = Setting.nonNull(publisher, "The publisher");
            return this;
        }

        /**
         * Removes bodies that are kept outside their messages; none are removed unless this is set. The retention
         * runs from when a relay has found the message published, and not while it is held. It must be longer than
         * the message may stay with the broker, in its dead-letter queue too: what is handled later finds no body.
         *
         * @param store the one that the outbox writes to
         * @throws IllegalArgumentException unless the retention is positive and at most 36,500 days
         */
        public Builder claims(ClaimStore store, Duration retention) {
            this.claims = new RelaySettings.Claims(
                    Setting.nonNull(store, "The store of claims"),
                    Setting.within(
                            MOMENT, retention, OLDEST, "The retention of claims is positive and at most 36500 days"));
            return this;
        }

        /** Sets how the relay works, for those who measure: {@code tuning(tuning -> tuning.batchRows(500))}. May be called again. */
        public Builder tuning(Consumer<RelayTuning> change) {
            change.accept(tuning);
            return this;
        }

        /**
         * The relay, {@linkplain Relay#start() started}.
         *
         * @throws IllegalStateException as {@link #build} and {@link Relay#start()}
         */
        public Relay start() {
            return build().start();
        }

        /**
         * The relay, not yet started.
         *
         * @throws IllegalStateException naming the setting that is missing
         */
        public Relay build() {
            if (publisher == null) {
                throw new IllegalStateException("A relay needs a publisher");
            }
            require(!destinations.isEmpty(), "A relay needs at least one destination");
            return new Relay(new RelaySettings(
                    new RelaySettings.Database(dataSource, schema, name, tuning.listening),
                    Map.copyOf(destinations),
                    publisher,
                    tuning.leaseDuration,
                    new RelaySettings.Polling(tuning.pollInterval, tuning.longestIdle, tuning.batchRows),
                    new RelaySettings.Keeping(Map.copyOf(retained), claims)));
        }
    }
}
