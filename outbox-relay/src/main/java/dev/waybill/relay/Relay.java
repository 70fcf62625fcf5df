package dev.waybill.relay;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.LocalRelay;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.BoundedWaits;
import dev.waybill.supervision.DeferredInterrupts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the outbox of one schema. Any number of relays may run against the same schema, in one process or
 * many: they share the work by leases, whichever destinations each of them serves. Thread-safe.
 *
 * <p>Needs from the pool one connection for each destination as long as it runs, one more to be woken by writers
 * in other processes ({@link Builder#listening}), and at least one for moments; with fewer, some destinations
 * are not published to. The pool's auto-commit mode does not matter. The connections must reach the primary itself: behind a pooler that shares server connections
 * between transactions the relay is right but slow, and cannot be woken.
 */
public final class Relay implements AutoCloseable, LocalRelay {
    private static final String CLOSED = "This relay has been closed; build another one";

    private final RelayOptions settings;
    private final RelayParts parts;
    private final AtomicReference<Mode> mode = new AtomicReference<>(Mode.NEW);

    /** Held by a start, a single turn and a close, so that none of them meets another half done. */
    private final ReentrantLock life = new ReentrantLock();

    private Relay(RelayOptions settings) {
        this.settings = settings;
        parts = new RelayParts(settings);
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
            startThreads();
            return this;
        } finally {
            life.unlock();
        }
    }

    private void startThreads() {
        parts.heartbeat.start();
        parts.background.start();
        parts.turns.forEach(RelayThread::start);
        parts.background.listen();
    }

    // A close waits for the lock, but not for ever.
    private void signOnAs(Mode next) {
        Mode before = mode.get();
        require(before != Mode.CLOSED, CLOSED);
        if (next == Mode.THREADS) {
            parts.signOn.withThreads();
        } else {
            parts.signOn.forSingleTurns(!parts.loops.stream().allMatch(DestinationLoop::isConnected));
        }
        require(mode.compareAndSet(before, next), CLOSED);
    }

    /**
     * Instead of {@link #start}: publishes what is committed and due now, in the calling thread, and returns; for
     * tests and for jobs that run from time to time. May be called again, by one thread at a time, and ends with
     * {@link #close}. While another relay has a share of the lanes, what is in those is left to it. A call sends
     * for no longer than its lease is trusted, three quarters of {@link Builder#leaseDuration}: with a large
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
            return takeSingleTurn();
        } finally {
            life.unlock();
        }
    }

    private int takeSingleTurn() {
        @Nullable RuntimeException unmoved = parts.background.schedule().moveAll();
        parts.loops.forEach(DestinationLoop::getReady);
        parts.heart.beat();
        int published = parts.loops.stream()
                .mapToInt(loop -> loop.runWhole().published())
                .sum();
        if (unmoved != null) {
            throw unmoved;
        }
        return published;
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
        parts.wake();
    }

    /**
     * The same for one destination; an outbox in the same process calls it after its commits
     * ({@link dev.waybill.outbox.Outbox.Builder#relay}).
     *
     * @return whether this relay owns the whole destination, so that no other need be told: false if it shares it, does not serve
     *     it, cannot renew its leases, is closing, or takes single turns
     */
    @Override
    public boolean wake(String destination) {
        return parts.wake(destination);
    }

    /**
     * Lets what is on its way arrive, at most for the longest send of the publisher, gives the lanes back and
     * closes the publisher. A connection is waited for no longer than 5 s; without one, the lanes are free when the
     * lease has run out. An interrupt cuts none of this short, and is kept. Idempotent.
     *
     * <p>Called by the relay's own threads, as the publisher is, it returns at once, and the relay closes when they
     * have come back.
     */
    @Override
    public void close() {
        if (life.isHeldByCurrentThread() || threads().anyMatch(RelayThread::isCurrent)) {
            var closing = new Thread(this::closeNow, "waybill-relay-close");
            closing.setDaemon(true);
            closing.start();
        } else {
            closeNow();
        }
    }

    private Stream<RelayThread> threads() {
        return Stream.concat(parts.workers(), Stream.of(parts.heartbeat));
    }

    private void closeNow() {
        try (var interrupts = new DeferredInterrupts();
                BoundedWaits.Limit limit = parts.waits.limit(BoundedWaits.AT_A_STOP)) {
            boolean alone = interrupts.await(patience(), nanos -> life.tryLock(nanos, TimeUnit.NANOSECONDS));
            try {
                Mode before = mode.getAndSet(Mode.CLOSED);
                if (before != Mode.CLOSED) {
                    end(alone && before == Mode.TURNS, limit, interrupts);
                }
            } finally {
                if (alone) {
                    life.unlock();
                }
            }
        }
    }

    private Duration patience() {
        return settings.publisher().longestSend().plus(settings.leaseDuration());
    }

    private void end(boolean leave, BoundedWaits.Limit limit, DeferredInterrupts interrupts) {
        try {
            parts.background.stopListening();
            List<RelayThread> working = parts.workers().toList();
            working.forEach(RelayThread::stop);
            working.forEach(thread -> thread.join(patience()));
            if (leave) {
                interrupts.deferAgain();
                parts.loops.forEach(loop -> loop.leave(settings.publisher().longestSend()));
            }
            parts.heartbeat.stop();
            parts.heartbeat.join(settings.leaseDuration());
            limit.last("waybill-relay-leave", parts.beats::signOff);
        } finally {
            interrupts.deferAgain();
            settings.publisher().close();
        }
    }

    /** Collects the settings of a relay. Not thread-safe. */
    public static final class Builder {
        private static final int MOST_PAGE_ROWS = 10_000;
        private static final int MOST_HISTORY = 5;
        private static final Duration LONGEST = Duration.ofDays(1);

        /** The database's time is subtracted from, and has a beginning. */
        private static final Duration OLDEST = Duration.ofDays(36_500);

        private final DataSource dataSource;
        private final Map<String, HoldPolicy> destinations = new LinkedHashMap<>();
        private SchemaName schema = SchemaName.DEFAULT;
        private String name = "relay-" + ProcessHandle.current().pid();
        private @Nullable Publisher publisher;
        private Duration leaseDuration = Duration.ofSeconds(15);
        private Duration lookInterval = Duration.ofMillis(8);
        private Duration longestIdle = Duration.ofMillis(500);
        private int pageRows = 100;
        private int historyPartitions;
        private Duration longestUse = Duration.ofDays(1);
        private boolean listening = true;
        private RelayOptions.@Nullable Claims claims;

        private Builder(DataSource dataSource) {
            this.dataSource = Objects.requireNonNull(dataSource, "A relay needs a data source");
        }

        /** The schema of Waybill's tables. Default: {@link SchemaName#DEFAULT}. */
        public Builder schema(SchemaName schema) {
            this.schema = nonNull(schema, "The schema");
            return this;
        }

        /**
         * The name that operators see. Default: {@code relay-<process id>}.
         *
         * @throws IllegalArgumentException if it is blank, or has a character 0
         */
        public Builder name(String name) {
            requireSetting(!nonNull(name, "A relay's name").isBlank(), "A relay's name is not blank");
            requireSetting(isStorable(name), "A relay's name has no character 0, which no database stores");
            this.name = name;
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
            nonNull(destination, "A destination");
            nonNull(policy, "The policy of destination '" + destination + "'");
            requireSetting(!destination.isBlank(), "A destination needs a name");
            requireSetting(
                    destination.strip().equals(destination),
                    "A destination's name begins and ends with no blank, as '" + destination + "' does");
            requireSetting(
                    isStorable(destination), "A destination's name has no character 0, which no database stores");
            destinations.put(destination, policy);
            return this;
        }

        // A wrong value is met where it is written, not when the relay has it.
        private static void requireSetting(boolean condition, String message) {
            if (!condition) {
                throw new IllegalArgumentException(message);
            }
        }

        private static boolean isWithin(Duration least, Duration value, Duration most) {
            return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
        }

        private static boolean isAge(Duration value) {
            return isWithin(Duration.ofNanos(1), value, OLDEST);
        }

        private static boolean isStorable(String name) {
            return name.indexOf('\0') < 0;
        }

        private static <T> T nonNull(T value, String setting) {
            return Objects.requireNonNull(value, () -> setting + " is not null");
        }

        /** The way to the broker; the relay closes it. */
        public Builder publisher(Publisher publisher) {
            this.publisher = nonNull(publisher, "The publisher");
            return this;
        }

        /**
         * How long a crashed relay's buckets stand still; 1 s to 1 day. Default: 15 s. A relay that cannot
         * renew for three quarters of it stops sending.
         *
         * @throws IllegalArgumentException if it is shorter or longer
         */
        public Builder leaseDuration(Duration leaseDuration) {
            nonNull(leaseDuration, "The duration of a lease");
            requireSetting(
                    isWithin(Duration.ofSeconds(1), leaseDuration, LONGEST),
                    "A lease takes 1 s to 1 day, not " + leaseDuration);
            this.leaseDuration = leaseDuration;
            return this;
        }

        /**
         * The shortest time between two looks for new messages of a destination while they come in quick
         * succession; twice as long from 750 messages a second on, but not longer than the longest idle rest. A
         * message that comes alone is read at once. Longer makes each message cheaper for the database, and later.
         * Default: 8 ms.
         *
         * @throws IllegalArgumentException if it is negative or longer than a day
         */
        public Builder lookInterval(Duration lookInterval) {
            nonNull(lookInterval, "The interval between looks");
            requireSetting(
                    isWithin(Duration.ZERO, lookInterval, LONGEST),
                    "The interval between looks is 0 to 1 day, not " + lookInterval);
            this.lookInterval = lookInterval;
            return this;
        }

        /**
         * The longest rest between reads of an idle outbox. Default: 500 ms.
         *
         * @throws IllegalArgumentException if it is shorter than 1 ms or longer than a day
         */
        public Builder longestIdle(Duration longestIdle) {
            nonNull(longestIdle, "The longest idle rest");
            requireSetting(
                    isWithin(Duration.ofMillis(1), longestIdle, LONGEST),
                    "The longest idle rest is 1 ms to 1 day, not " + longestIdle);
            this.longestIdle = longestIdle;
            return this;
        }

        /**
         * Most rows per read for each of the 32 buckets of a destination. Default: 100.
         *
         * @throws IllegalArgumentException if it is less than 1 or more than 10,000
         */
        public Builder pageRows(int pageRows) {
            requireSetting(
                    pageRows >= 1 && pageRows <= MOST_PAGE_ROWS,
                    "A page takes 1 to " + MOST_PAGE_ROWS + " rows of a bucket, not " + pageRows);
            this.pageRows = pageRows;
            return this;
        }

        /**
         * How much of what is published stays in the table for a replay, in partitions of 131,072 messages behind
         * the one in use; 0 to 5. Default: 0. All relays of a schema should agree: the smallest number counts.
         *
         * @throws IllegalArgumentException if it is less or more
         */
        public Builder historyPartitions(int partitions) {
            requireSetting(
                    partitions >= 0 && partitions <= MOST_HISTORY,
                    "The ring has room for 0 to " + MOST_HISTORY + " partitions of history, not " + partitions);
            this.historyPartitions = partitions;
            return this;
        }

        /**
         * How long a partition is written to at most, however few messages come: what is published can go only
         * with its partition. Default: 1 day.
         *
         * @throws IllegalArgumentException unless it is positive and at most 36,500 days
         */
        public Builder partitionAge(Duration longestUse) {
            nonNull(longestUse, "The age of a partition");
            requireSetting(
                    isAge(longestUse), "The age of a partition is positive and at most 36500 days, not " + longestUse);
            this.longestUse = longestUse;
            return this;
        }

        /**
         * Whether writers in other processes may wake the relay by a notification. It takes a connection of its
         * own, which must not go through a pooler that shares server connections between transactions. Without it,
         * a message waits for the next look. Default: true.
         */
        public Builder listening(boolean listening) {
            this.listening = listening;
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
            nonNull(store, "The store of claims");
            nonNull(retention, "The retention of claims");
            requireSetting(
                    isAge(retention), "The retention of claims is positive and at most 36500 days, not " + retention);
            this.claims = new RelayOptions.Claims(store, retention);
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
            return new Relay(new RelayOptions(
                    new RelayOptions.Database(dataSource, schema, name, listening),
                    Map.copyOf(destinations),
                    publisher,
                    leaseDuration,
                    new RelayOptions.Reading(lookInterval, longestIdle, pageRows),
                    new RelayOptions.Space(historyPartitions, longestUse, claims)));
        }
    }
}
