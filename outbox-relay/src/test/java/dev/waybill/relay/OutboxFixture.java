package dev.waybill.relay;

import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.RelayTables.Source;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Tables, writers and relays of one test. */
final class OutboxFixture {
    static {
        // A loaded machine is slow, not wrong.
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    static final String DESTINATION = "orders";
    static final Duration LEASE = Duration.ofMinutes(5);

    private final TestDatabase database;
    private final List<RelayUnderTest> relays = new ArrayList<>();
    final SchemaName schema;
    final DSLContext dsl;
    final Outbox outbox;
    HoldPolicy policy = HoldPolicy.HOLD_SESSION;

    /** The relays' own, for all but the leases' end. */
    final TestClock clock = new TestClock();

    /** How often relays were told that something has met its fate. */
    final AtomicInteger arrivals = new AtomicInteger();

    /** The action that a relay which is told so runs at once, on the thread that tells it. */
    Runnable onArrival = () -> {};

    OutboxFixture(TestDatabase database) {
        this(database, Feature.all());
    }

    OutboxFixture(TestDatabase database, Feature... features) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), features)));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        database.closeAfterwards(this::closeRelays);
        outbox = Outbox.builder().schema(schema).build();
    }

    void append(String session, String... ids) {
        dsl.transaction(tx -> outbox.append(tx.dsl(), messages(session, ids)));
    }

    /** A transaction that the test commits when it likes. */
    Connection open() throws SQLException {
        Connection connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** A transaction whose own search for a deadlock comes first, so that it would be the one to be aborted. */
    Connection openImpatient() throws SQLException {
        Connection connection = open();
        connection.createStatement().execute("set local deadlock_timeout = '10ms'");
        return connection;
    }

    /** Appends to more sessions than are locked one by one, so that all other writers are kept out. */
    void appendToManySessions(Connection tx) {
        outbox.append(
                tx,
                IntStream.range(0, 1_001)
                        .mapToObj(i -> OutboxMessage.to(DESTINATION)
                                .session("t" + i)
                                .id("t" + i)
                                .text("x")
                                .build())
                        .toList());
    }

    void append(Connection tx, String session, String... ids) {
        outbox.append(tx, messages(session, ids));
    }

    void commit(Connection tx) throws SQLException {
        tx.commit();
        tx.close();
    }

    /** Different sessions that share one bucket. */
    List<String> sessionsOfOneBucket(int count) {
        return dsl.fetch("""
                        select 's' || n as session from generate_series(1, 10000) n
                        where hashtextextended(('s' || n) collate "C", 0) & 31 = 7 order by n limit {0}
                        """, DSL.inline(count)).getValues("session", String.class);
    }

    RelayUnderTest relay(Publisher publisher) {
        return relay(publisher, 100);
    }

    RelayUnderTest relay(Publisher publisher, int pageRows) {
        return relay(publisher, pageRows, UnaryOperator.identity());
    }

    RelayUnderTest relay(Publisher publisher, DSLContext connections) {
        return relay(publisher, connections, Source.of(schema, UUID.randomUUID(), 100, System::nanoTime));
    }

    /** @param mistake put between the relay and what it reads */
    RelayUnderTest relay(Publisher publisher, int pageRows, UnaryOperator<OutboxReader> mistake) {
        var source = new Source(schema, UUID.randomUUID(), pageRows, new ReadSql(schema), comparison(), mistake);
        return relay(publisher, dsl, source);
    }

    /** Connections of loops, as many as they like. */
    static LoopConnections connections(DSLContext pool) {
        return new LoopConnections(pool, Integer.MAX_VALUE, 0, System::nanoTime);
    }

    /** As a relay of its own has them. */
    static SharedCheck comparison() {
        return new SharedCheck(System::nanoTime);
    }

    RelayUnderTest relay(Publisher publisher, DSLContext connections, Source source) {
        var mortal = new MortalPublisher(publisher);
        DSLContext bound = schema.in(mortal.ending(connections));
        var beats = new RelayBeats(bound, schema, source.relay(), "test", true);
        var liveness = new Liveness(DESTINATION, LEASE, clock);
        var heartbeat = new Heartbeat(beats, List.of(liveness), new Trouble(clock, () -> {}), LEASE, clock, () -> {});
        var sender = new DestinationSender(DESTINATION, policy, mortal, new Breaker(clock, new SplittableRandom(1)));
        var turn = new DestinationTurn(
                sender, connections(bound), source, liveness, new LeaseClock(LEASE, clock), this::arrived);
        var relay = new RelayUnderTest(mortal, heartbeat, liveness, sender, turn);
        relays.add(relay);
        return relay;
    }

    private void arrived() {
        arrivals.incrementAndGet();
        onArrival.run();
    }

    /** Lets go of the connections of all relays so far, as the end of their processes would. */
    void closeRelays() {
        relays.forEach(RelayUnderTest::close);
        relays.clear();
    }

    /** Removes every row but those that the migrations inserted. Call only while no relay is open. */
    void emptyTables() {
        List<String> tables = dsl.fetch(
                        "select oid::regclass::text from pg_class where relnamespace = {0}::regnamespace"
                                + " and relkind in ('r', 'p') and not relispartition and relname not like 'waybill_migration%'",
                        DSL.val(schema.value()))
                .getValues(0, String.class);
        dsl.execute("truncate " + String.join(", ", tables));
    }

    /** Lets the sequence go on in the ring's next partition. */
    void enterNextPartition() {
        dsl.execute(
                "select setval('%1$s.outbox_message_seq', ((last_value >> 17) + 1) << 17) from %1$s.outbox_message_seq"
                        .formatted(schema));
    }

    /** A context in which something happens just before the first statement that starts so: a planned interleaving. */
    DSLContext before(String start, SqlAction action) {
        var done = new AtomicBoolean();
        return WatchedConnections.of(dsl, new WatchedConnections.Watch() {
            @Override
            public void before(String sql) {
                if (sql.startsWith(start) && done.compareAndSet(false, true)) {
                    action.run();
                }
            }
        });
    }

    /** A context that sends other statements than the code meant: a planted bug. */
    DSLContext rewriting(UnaryOperator<String> mistake) {
        return rewriting(dsl, mistake);
    }

    static DSLContext rewriting(DSLContext dsl, UnaryOperator<String> mistake) {
        return WatchedConnections.of(dsl, new WatchedConnections.Watch() {
            @Override
            public String sent(String sql) {
                return mistake.apply(sql);
            }
        });
    }

    /** Something done to the database by the test. */
    @FunctionalInterface
    interface SqlAction {
        void act() throws SQLException;

        default void run() {
            try {
                act();
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** The message table with the given order of the columns that the proof rests on, and one between to block at. */
    void rebuildMessageTable(String... proofColumns) {
        var definitions = Map.of(
                "xid", "xid xid8 not null default pg_current_xact_id()",
                "seq", "seq bigint not null default nextval('$schema.outbox_message_seq')",
                "gate", "gate text default pg_advisory_xact_lock(4711)::text");
        var columns = String.join(
                ", ", Arrays.stream(proofColumns).map(definitions::get).toList());
        execute("alter table $schema.outbox_message rename to original");
        execute("alter table $schema.outbox_message_0 rename to original_0");
        execute("create table $schema.outbox_message (" + columns + ", destination text not null,"
                + " session_id text, message_id text, broker_message_id text, partition_key text, subject text,"
                + " content_type text, correlation_id text, to_address text, reply_to text, reply_to_session_id text,"
                + " time_to_live bigint, scheduled_enqueue_time timestamptz, headers jsonb, payload bytea)"
                + " partition by list (((seq >> 17) & 7))");
        execute("create table $schema.outbox_message_0 partition of $schema.outbox_message for values in (0)");
        execute("drop view $schema.outbox_row cascade");
        execute("create view $schema.outbox_row as"
                + " select *, $schema.outbox_bucket(session_id, message_id) as bucket from $schema.outbox_message");
    }

    DataSource dataSource() {
        return database.dataSource();
    }

    long rowsIn(String table) {
        return dsl.fetchCount(DSL.table(schema.table(table)));
    }

    void execute(String sql) {
        dsl.execute(sql.replace("$schema", schema.value()));
    }

    /** Lets the next turn record all lanes, also those that had nothing to publish. */
    void letRecordingBeDue() {
        clock.advanceMillis(6_000);
    }

    /** As if the time of every lease and relay had passed. */
    void expireLeases() {
        execute("update $schema.relay_beat set alive_until = 'epoch'");
        execute("select nextval('$schema.outbox_lane_seq')");
    }

    static int majorVersion(TestDatabase database) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            return connection.getMetaData().getDatabaseMajorVersion();
        }
    }

    private static List<OutboxMessage> messages(String session, String... ids) {
        var messages = new ArrayList<OutboxMessage>();
        for (String id : ids) {
            messages.add(OutboxMessage.to(DESTINATION)
                    .session(session)
                    .id(id)
                    .text(id)
                    .build());
        }
        return messages;
    }

    /** A loop that nobody runs, and that looks whenever it is told to. */
    DestinationLoop loop(RelayUnderTest relay) {
        return loop(relay, Duration.ZERO, Duration.ofMillis(250));
    }

    /** A loop that nobody runs. */
    DestinationLoop loop(RelayUnderTest relay, Duration lookInterval, Duration longestIdle) {
        return new DestinationLoop(
                relay.sender(),
                relay.turn(),
                new Pace(lookInterval, longestIdle, new SplittableRandom(1), clock),
                relay.liveness(),
                new DestinationAlarm(schema.in(dsl), DESTINATION),
                () -> {});
    }

    /** A relay whose turns the test takes by hand. It dies of what its publisher throws, as a process would. */
    record RelayUnderTest(
            MortalPublisher publisher,
            Heartbeat heartbeat,
            Liveness liveness,
            DestinationSender sender,
            DestinationTurn turn)
            implements AutoCloseable {
        /** Beats and takes lanes. */
        RelayUnderTest started() {
            liveness.moved();
            liveness.becomeReady();
            heartbeat.beat();
            turn.takeLanes();
            return this;
        }

        TurnOutcome run() {
            liveness.moved();
            TurnOutcome outcome = turn.run();
            publisher.throwDeath();
            return outcome;
        }

        @Override
        public void close() {
            turn.close();
        }
    }
}
