package dev.waybill.relay;

import dev.waybill.message.BrokerNames;
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
 * Publishes the outbox of a schema. Any number of relays, in one process or several, share the destinations by leases.
 * Thread-safe.
 *
 * <p>A relay needs up to four connections of the pool: for its loop, its heartbeat, scheduled messages, and {@code LISTEN}
 * ({@link RelayTuning#listening}). Their auto-commit mode does not matter. They must reach the primary server. Through a pooler
 * in transaction mode the relay works, but notifications do not wake it.
 */
public final class Relay implements AutoCloseable, LocalRelay {
    private static final String CLOSED = "This relay has been closed; build another one";

    private final RelayEngine engine;
    private final SignOn signOn;
    private final boolean single;
    private final AtomicReference<Mode> mode = new AtomicReference<>(Mode.NEW);

    /** Held by start, publishCommitted and close, which exclude each other. */
    private final ReentrantLock life = new ReentrantLock();

    private Relay(RelaySettings settings) {
        engine = new RelayEngine(settings);
        single = settings.database().single();
        signOn = new SignOn(settings, engine);
    }

    /**
     * Builds a relay on a connection pool, which it does not close. Inside a transaction, a data source that returns the
     * transaction's connection is rejected.
     */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /**
     * Claims destinations and starts to publish. May be called again after a {@link DataAccessException}.
     *
     * @return this
     * @throws IllegalStateException if tables or grants are missing, row-level security binds the relay's role, the encoding is
     * not UTF8, the connections would corrupt bytes, the data source returns shared connections or one in an open transaction,
     * or this relay was started or closed before or publishes by {@link #publishCommitted}
     * @throws DataAccessException if the database fails
     */
    public Relay start() {
        life.lock();
        try {
            require(mode.get() != Mode.THREADS, "This relay has been started before");
            require(mode.get() != Mode.TURNS, "This relay takes single turns; build another one to be started");
            require(
                    !single,
                    "A relay with a single connection takes turns by publishCommitted(); it cannot be started");
            signOnAs(Mode.THREADS);
            engine.start();
            return this;
        } finally {
            life.unlock();
        }
    }

    // A close waits for the lock, but only for a limited time.
    private void signOnAs(Mode next) {
        Mode before = mode.get();
        require(before != Mode.CLOSED, CLOSED);
        signOn.run(next == Mode.THREADS);
        require(mode.compareAndSet(before, next), CLOSED);
    }

    /**
     * Publishes what is committed and due, on the calling thread, instead of {@link #start}; for tests and scheduled jobs. May
     * be called repeatedly, by one thread at a time, before {@link #close}. Leaves destinations of other relays alone. A call
     * ends after three quarters of {@link RelayTuning#leaseDuration}: with a large backlog, repeat it until it returns 0. A due
     * scheduled message waits if its session is locked by appends during the whole call.
     *
     * @return the number of messages that the broker has accepted; the others stay pending or are held
     * @throws IllegalStateException if the relay was started or closed, the data source returns one connection for all requests
     * of a thread, or as {@link #start}
     * @throws DataAccessException if the database fails. If only scheduled messages failed, thrown after all others were sent
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

    /** How the relay is, from what it last saw. Asks neither database nor broker. */
    public RelayHealth health() {
        return engine.health();
    }

    /** Wakes the relay to poll now; for applications that embed it, after their commits. */
    public void wake() {
        engine.wake();
    }

    /**
     * Wakes the relay for a destination; an outbox in this process calls it after commits
     * ({@link dev.waybill.outbox.Outbox.Builder#relay}).
     *
     * @return whether this relay owns the destination; false also if it cannot renew its lease, is closing, or publishes by
     * {@link #publishCommitted}
     */
    @Override
    public boolean wake(String destination) {
        return engine.wake(destination);
    }

    /**
     * Waits for sends in flight, at most the publisher's longest send, releases the destinations and closes the publisher.
     * Waits at most 5 s for a connection; without one, the destinations are free when the lease expires. An interrupt does not
     * cut this short, and is kept. Idempotent.
     *
     * <p>On a thread of the relay, such as a publisher's, returns at once; the relay closes when the thread has returned.
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

    /** Builds a relay. Not thread-safe. */
    public static final class Builder {
        private static final Duration MOMENT = Duration.ofNanos(1);
        private static final Duration LONGEST_RETENTION = Duration.ofDays(14);

        /** A limit for date arithmetic in the database. */
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
         * The name for operators. Default: {@code relay-<process id>}.
         *
         * @throws IllegalArgumentException if it is blank or contains NUL
         */
        public Builder name(String name) {
            this.name = Setting.storable(name, "A relay's name");
            return this;
        }

        /**
         * Adds a queue or topic to publish to. Messages to destinations that no relay serves stay pending.
         *
         * @throws IllegalArgumentException if it is blank, has leading or trailing blanks, contains NUL, or differs from another
         * destination only in case
         */
        public Builder destination(String destination) {
            return destination(destination, HoldPolicy.HOLD_SESSION);
        }

        /** As {@link #destination(String)}, with a policy for refused messages. Default: {@link HoldPolicy#HOLD_SESSION}. */
        public Builder destination(String destination, HoldPolicy policy) {
            Setting.storable(destination, "A destination's name");
            Setting.nonNull(policy, "The policy of destination '" + destination + "'");
            Setting.require(
                    destination.strip().equals(destination),
                    "A destination's name has no leading or trailing blanks, unlike '" + destination + "'");
            for (String known : destinations.keySet()) {
                Setting.require(
                        known.equals(destination) || !BrokerNames.same(known, destination),
                        "Destinations '" + known + "' and '" + destination
                                + "' are one entity for Service Bus, which compares names without regard to case");
            }
            destinations.put(destination, policy);
            return this;
        }

        /**
         * Retains published messages of a destination for replays and traces; needs the feature {@code retention}. Default: not
         * retained.
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

        /** The publisher, which the relay closes. */
        public Builder publisher(Publisher publisher) {
            this.publisher = Setting.nonNull(publisher, "The publisher");
            return this;
        }

        /**
         * Deletes bodies from the claim store after a retention, which begins when the relay finds the message published, and
         * pauses while it is held. It must exceed the message's time on the broker, including the dead-letter queue: handlers
         * of later messages find no body. Default: bodies are not deleted.
         *
         * @param store the store of the outbox
         * @throws IllegalArgumentException unless the retention is positive and at most 36,500 days
         */
        public Builder claims(ClaimStore store, Duration retention) {
            this.claims = new RelaySettings.Claims(
                    Setting.nonNull(store, "The store of claims"),
                    Setting.within(
                            MOMENT, retention, OLDEST, "The retention of claims is positive and at most 36500 days"));
            return this;
        }

        /** Changes polling, batches or the lease: {@code tuning(tuning -> tuning.batchRows(500))}. May be called again. */
        public Builder tuning(Consumer<RelayTuning> change) {
            change.accept(tuning);
            return this;
        }

        /**
         * Builds and {@linkplain Relay#start() starts} the relay.
         *
         * @throws IllegalStateException as {@link #build} and {@link Relay#start()}
         */
        public Relay start() {
            return build().start();
        }

        /** Throws an {@link IllegalStateException} naming a missing setting. */
        public Relay build() {
            if (publisher == null) {
                throw new IllegalStateException("A relay needs a publisher");
            }
            require(!destinations.isEmpty(), "A relay needs at least one destination");
            for (String name : retained.keySet()) {
                require(
                        destinations.containsKey(name),
                        "This relay is to retain messages of '" + name + "', and publishes to "
                                + destinations.keySet().stream().sorted().toList());
            }
            return new Relay(new RelaySettings(
                    new RelaySettings.Database(dataSource, schema, name, tuning.listening, tuning.singleConnection),
                    Map.copyOf(destinations),
                    publisher,
                    tuning.leaseDuration,
                    new RelaySettings.Polling(tuning.pollInterval, tuning.longestIdle, tuning.batchRows),
                    new RelaySettings.Keeping(Map.copyOf(retained), claims)));
        }
    }
}
