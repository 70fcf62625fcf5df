package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.lease.NewTables;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Rows that commit below a floor, and what is remembered of a server that is no more. */
@ExtendWith(PostgresExtension.class)
class LateCommitsTest {
    private final Broker broker = new Broker();
    private NewTables tables;
    private String url;
    private SteppedRelay relay;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        url = database.server().jdbcUrl();
        relay = new SteppedRelay(tables, broker, "orders").own();
    }

    @AfterEach
    void end() {
        relay.close();
    }

    @Test
    void a_slow_transactions_rows_come_before_newer_ones_of_their_session() throws Exception {
        try (Connection slow = tables.open()) {
            append(slow, "s", "s1");
            passBy();
            slow.commit();
        }
        tables.append("orders", "s", "s2");
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();

        assertThat(broker.firstOf("s")).containsExactly("s1", "s2");
    }

    @Test
    void two_slow_transactions_that_end_one_after_the_other_lose_nothing() throws Exception {
        try (Connection one = tables.open();
                Connection two = tables.open()) {
            append(one, "s", "s1");
            append(two, "t", "t1");
            passBy();
            one.commit();
            tables.append("orders", "s", "s2");
            relay.read(SteppedRelay.MUCH);
            relay.mark();
            two.commit();
        }
        tables.append("orders", "t", "t2");
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();

        assertThat(broker.firstOf("s")).containsExactly("s1", "s2");
        assertThat(broker.firstOf("t")).containsExactly("t1", "t2");
    }

    @Test
    void a_slow_transactions_row_of_a_full_lane_comes_when_the_lane_has_room() throws Exception {
        broker.answersNothing();
        try (Connection slow = tables.open()) {
            append(slow, "s", "s1");
            for (int i = 0; i < 500; i++) {
                tables.append("orders", "hot", "h" + i);
            }
            passBy();
            slow.commit();
        }
        tables.append("orders", "s", "s2");
        for (int i = 0; i < 6; i++) {
            broker.takePending().forEach(Broker.Pending::accept);
            relay.read(SteppedRelay.MUCH);
            relay.sendAndSettle();
        }
        broker.acceptsAll();
        for (int i = 0; i < 10; i++) {
            broker.takePending().forEach(Broker.Pending::accept);
            relay.sendAndSettle();
            relay.read(SteppedRelay.MUCH);
        }

        assertThat(broker.firstOf("s")).containsExactly("s1", "s2");
        assertThat(broker.firstOf("hot")).hasSize(500);
    }

    @Test
    void a_slow_transaction_that_is_in_its_first_read_when_the_relay_starts_is_waited_for() throws Exception {
        try (Connection slow = tables.open()) {
            append(slow, "s", "s1");
            relay.die();
            relay = new SteppedRelay(tables, broker, "orders").own();
            passBy();
            slow.commit();
        }
        tables.append("orders", "s", "s2");
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();

        assertThat(broker.firstOf("s")).containsExactly("s1", "s2");
    }

    // The default that allocates the value first is the plant: it shows that the interleaving would find it.
    @ParameterizedTest
    @CsvSource({"case when pg_current_xact_id() is not null then $.draw() end, true", "$.draw(), false"})
    void a_transaction_has_its_id_before_its_value(String columnDefault, boolean found) throws Exception {
        tables.execute("create function $.draw() returns bigint language plpgsql as 'declare v bigint; begin"
                + " v := nextval(''$.outbox_seq''); perform pg_advisory_lock_shared(4711);"
                + " perform pg_advisory_unlock_shared(4711); return v; end'");
        tables.execute("alter table $.outbox_message alter column seq set default " + columnDefault);
        // A draw that writes to the log allocates an id as well; the ones after it do not.
        tables.fetch("select nextval('$.outbox_seq')");
        CompletableFuture<Integer> late;
        try (Connection gate = tables.open()) {
            tables.execute(gate, "select pg_advisory_xact_lock(4711)");
            late = CompletableFuture.supplyAsync(() -> tables.execute(
                    "insert into $.outbox_message (destination, message_id, payload) values ('orders', 'late', '')"));
            Awaitility.await()
                    .until(
                            () -> tables.one(
                                    Boolean.class,
                                    "select exists (select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted)"));
            relay.read(SteppedRelay.MUCH);
            relay.mark();
            relay.read(SteppedRelay.MUCH);
            gate.commit();
        }
        late.join();
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();

        assertThat(broker.arrived().contains("late")).isEqualTo(found);
    }

    @Test
    void the_tables_default_is_the_one_that_gives_the_id_first() {
        assertThat(tables.one(
                        String.class,
                        "select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = '$.outbox_message'::regclass"
                                + " and adnum = 1"))
                .matches(
                        "(?s)\\s*CASE\\s+WHEN \\(pg_current_xact_id\\(\\) IS NOT NULL\\) THEN nextval\\(.*outbox_seq.*\\)\\s+ELSE"
                                + " NULL::bigint\\s+END");
    }

    @Test
    void after_the_sequence_was_set_back_new_rows_are_read_from_the_beginning() {
        raiseTheFloor();
        tables.fetch("select setval('$.outbox_seq', 5)");
        tables.append("orders", "s", "new");

        readTwiceAndSend();

        assertThat(broker.firstOf("s")).containsExactly("new");
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void what_is_appended_after_the_sequence_was_set_back_does_not_pass_what_waits(boolean otherServer) {
        raiseTheFloor();
        tables.execute("update $.outbox_destination set paused_at = now()");
        tables.append("orders", "s", "old");
        tables.fetch("select setval('$.outbox_seq', 1)");
        if (otherServer) {
            tables.fetch("select pg_stat_reset_shared('bgwriter')");
        }
        relay.turns(2);
        tables.append("orders", "s", "new");
        tables.execute("update $.outbox_destination set paused_at = null");
        relay.turns(5);

        assertThat(broker.firstOf("s")).containsExactly("old", "new");
    }

    @Test
    void another_server_whose_sequence_is_ahead_already_is_read_from_the_beginning() {
        raiseTheFloor();
        tables.fetch("select setval('$.outbox_seq', 5)");
        tables.append("orders", "s", "new");
        // As after a crash behind a pooler: the values lost were allocated again, and more.
        tables.fetch("select setval('$.outbox_seq', 1000)");
        tables.fetch("select pg_stat_reset_shared('bgwriter')");

        readTwiceAndSend();

        assertThat(broker.firstOf("s")).containsExactly("new");
    }

    @Test
    void the_same_server_in_another_time_zone_is_the_same() throws Exception {
        var zones = new AtomicInteger();
        relay.die();
        relay = new SteppedRelay(tables, inZones(zones), broker, HoldPolicy.HOLD_SESSION, "orders").own();
        raiseTheFloor();
        long floor = relay.floors().of("orders");
        relay.connection.abandon();
        relay.read(SteppedRelay.MUCH);

        assertThat(relay.floors().of("orders")).isEqualTo(floor);
    }

    // Each connection has the next zone, as a pooler's may have.
    private DataSource inZones(AtomicInteger zones) {
        var source = new PGSimpleDataSource();
        source.setUrl(url);
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, given) -> {
                    Object result = method.invoke(source, given);
                    if (result instanceof Connection connection) {
                        try (var statement = connection.createStatement()) {
                            statement.execute("set TimeZone = " + zones.incrementAndGet() % 12);
                        }
                    }
                    return result;
                });
    }

    @Test
    void rows_that_were_read_from_a_server_that_is_no_more_are_not_sent() {
        tables.append("orders", "s", "lost", "kept");
        relay.read(SteppedRelay.MUCH);
        tables.execute("delete from $.outbox_message where message_id = 'lost'");
        tables.fetch("select pg_stat_reset_shared('bgwriter')");

        readTwiceAndSend();

        assertThat(broker.arrived()).containsExactly("kept");
    }

    @Test
    void what_was_in_flight_while_the_server_was_replaced_comes_back_before_new_rows_are_read() {
        broker.answersNothing();
        tables.append("orders", "s", "m1", "m2");
        relay.read(SteppedRelay.MUCH);
        relay.sending.send(relay.owned(), true);
        tables.fetch("select pg_stat_reset_shared('bgwriter')");
        relay.read(SteppedRelay.MUCH);
        tables.append("orders", "s", "m3");
        relay.read(SteppedRelay.MUCH);
        assertThat(relay.destination("orders").mine().lanes().rows())
                .as("in memory")
                .isEqualTo(2);

        broker.acceptsAll();
        broker.takePending().forEach(sent -> sent.answer(PublishResult.failed(1, new IllegalStateException("cut"))));
        relay.settle();
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();

        assertThat(broker.firstOf("s")).containsExactly("m1", "m2", "m3");
    }

    // A floor above 100 or so, with nothing in the table.
    private void raiseTheFloor() {
        for (int i = 0; i < 100; i++) {
            tables.append("orders", null, "m" + i);
        }
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();
        relay.mark();
        relay.read(SteppedRelay.MUCH);
        assertThat(relay.floors().of("orders")).isGreaterThanOrEqualTo(100);
    }

    private void readTwiceAndSend() {
        relay.read(SteppedRelay.MUCH);
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();
    }

    // Reads and marks until the floor is above all values, with what is open now counting as slow.
    private void passBy() {
        // A snapshot lists what runs only below the newest id that has ended.
        tables.append("orders", "other", "o0");
        relay.read(SteppedRelay.MUCH);
        relay.clock.advance(Duration.ofMillis(1_100));
        tables.append("orders", "other", "o1");
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();
        relay.mark();
        relay.read(SteppedRelay.MUCH);
        relay.mark();
        long last = relay.reading.lastValue();
        if (relay.destination("orders").mine().lanes().isEmpty()) {
            assertThat(relay.floors().of("orders")).as("above what is open").isEqualTo(last);
        }
    }

    private void append(Connection tx, String session, String id) throws SQLException {
        tables.execute(tx, "select $.outbox_append('orders', '%s', '%s', '\\x01')".formatted(session, id));
    }
}
