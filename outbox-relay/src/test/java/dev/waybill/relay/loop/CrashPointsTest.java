package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.relay.settle.HeldRows;
import java.io.IOException;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

/** A relay ends, or loses an answer, at each point of a message's way: there are only repeats, and the order is kept. */
@ExtendWith(PostgresExtension.class)
class CrashPointsTest {
    private final Broker broker = new Broker();
    private TestDatabase database;
    private NewTables tables;
    private SteppedRelay relay;

    @BeforeEach
    void start(TestDatabase given) {
        database = given;
        tables = new NewTables(given);
        relay = relay();
        tables.append("orders", "s", "m1", "m2", "m3");
    }

    @AfterEach
    void end() {
        relay.close();
    }

    @Test
    void after_the_read() {
        relay.read(SteppedRelay.MUCH);
        succeed();

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m3", "m4");
    }

    @Test
    void after_a_part_of_a_batch_was_accepted() {
        broker.answers(shipment -> PublishResult.failed(2, new IllegalStateException("cut")));
        relay.read(SteppedRelay.MUCH);
        relay.sending.send(relay.owned(), true);
        broker.acceptsAll();
        succeed();

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m1", "m2", "m3", "m4");
    }

    @Test
    void after_the_send_and_before_its_result_is_taken() {
        relay.read(SteppedRelay.MUCH);
        relay.sending.send(relay.owned(), true);
        succeed();

        assertThat(broker.firstOf("s")).containsExactly("m1", "m2", "m3", "m4");
        assertThat(broker.arrived()).hasSize(7);
    }

    @Test
    void before_the_settle() {
        relay.read(SteppedRelay.MUCH);
        relay.sending.send(relay.owned(), true);
        relay.sending.collect();
        succeed();

        assertThat(broker.firstOf("s")).containsExactly("m1", "m2", "m3", "m4");
        assertThat(broker.arrived()).hasSize(7);
    }

    @Test
    void after_the_settle() {
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();
        succeed();

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m3", "m4");
    }

    @Test
    void after_a_refusal_and_before_the_hold_is_made() {
        broker.refuses("m2");
        relay.read(SteppedRelay.MUCH);
        relay.sending.send(relay.owned(), true);
        relay.sending.collect();
        succeed();

        assertThat(broker.firstOf("s")).containsExactly("m1");
        assertThat(held()).containsExactly("m2", "m3", "m4");
    }

    @Test
    void after_the_hold_is_made() {
        broker.refuses("m2");
        relay.read(SteppedRelay.MUCH);
        relay.sendAndSettle();
        broker.acceptsAll();
        succeed();

        assertThat(broker.firstOf("s")).containsExactly("m1");
        assertThat(held()).containsExactly("m2", "m3", "m4");
    }

    @Test
    void the_answer_to_a_settle_is_lost_and_its_rows_are_gone() throws Exception {
        relay.close();
        try (TcpProxy proxy = proxy()) {
            relay.die();
            relay = relay(proxy);
            relay.read(SteppedRelay.MUCH);
            relay.sending.send(relay.owned(), true);
            relay.sending.collect();
            loseTheAnswer(proxy);
            relay.turn();
            tables.append("orders", "s", "m4");
            relay.turns(4);

            assertThat(broker.arrived()).containsExactly("m1", "m2", "m3", "m4");
            assertThat(relay.destination("orders").mine().lanes().isEmpty()).isTrue();
        }
    }

    @Test
    void the_answer_to_a_read_is_lost() throws Exception {
        try (TcpProxy proxy = proxy()) {
            relay.die();
            relay = relay(proxy);
            proxy.cut();
            assertThatThrownBy(() -> relay.read(SteppedRelay.MUCH)).isInstanceOf(DataAccessException.class);
            relay.turns(3);

            assertThat(broker.arrived()).containsExactly("m1", "m2", "m3");
        }
    }

    @Test
    void the_answer_to_a_hold_is_lost() throws Exception {
        broker.refuses("m2");
        try (TcpProxy proxy = proxy()) {
            relay.die();
            relay = relay(proxy);
            relay.read(SteppedRelay.MUCH);
            relay.sending.send(relay.owned(), true);
            relay.sending.collect();
            broker.acceptsAll();
            try (Connection operator = tables.open()) {
                tables.execute(operator, "select from $.outbox_destination for update");
                var moving = CompletableFuture.runAsync(() -> relay.settling.hold(relay.owned()));
                Awaitility.await()
                        .until(() -> tables.one(
                                Boolean.class,
                                "select exists (select from pg_stat_activity"
                                        + " where wait_event_type = 'Lock' and query like '%" + tables.schema
                                        + "%for share%')"));
                // The server goes on with what it has: the transaction is rolled back.
                proxy.cut();
                operator.rollback();
                assertThatThrownBy(moving::join).hasRootCauseInstanceOf(IOException.class);
            }
            // The loop's own connection was cut as well.
            assertThatThrownBy(relay::turn).isInstanceOf(DataAccessException.class);
            tables.append("orders", "s", "m4");
            relay.turns(4);

            assertThat(broker.firstOf("s")).containsExactly("m1");
            assertThat(held()).containsExactly("m2", "m3", "m4");
        }
    }

    @Test
    void a_hold_is_committed_and_its_answer_is_lost() {
        broker.refuses("m2");
        relay.read(SteppedRelay.MUCH);
        relay.sending.send(relay.owned(), true);
        relay.sending.collect();
        broker.acceptsAll();
        Owned owned = relay.destination("orders").mine();
        new HeldRows(tables.dsl, tables.schema)
                .move("orders", owned.epoch(), owned.lanes().blocked(100));
        tables.append("orders", "s", "m4");
        relay.turns(4);

        assertThat(broker.firstOf("s")).containsExactly("m1");
        assertThat(held()).containsExactly("m2", "m3", "m4");
    }

    // The delete waits for a lock; its answer stays on the way, and is lost when the server has committed.
    private void loseTheAnswer(TcpProxy proxy) throws Exception {
        CompletableFuture<Void> settling;
        try (Connection operator = tables.open()) {
            tables.execute(operator, "select from $.outbox_message for update");
            settling = CompletableFuture.runAsync(relay::settle);
            Awaitility.await()
                    .until(() -> tables.one(
                            Boolean.class,
                            "select exists (select from pg_stat_activity where wait_event_type = 'Lock' and query like '%"
                                    + tables.schema + ".outbox_message m%')"));
            proxy.silence();
            operator.rollback();
        }
        Awaitility.await().until(() -> tables.one(Integer.class, "select count(*) from $.outbox_message") == 0);
        proxy.cut();
        proxy.resume();
        assertThatThrownBy(settling::join).hasCauseInstanceOf(DataAccessException.class);
    }

    // Another relay takes over, and goes on with a newer message.
    private void succeed() {
        relay.die();
        relay = relay();
        tables.append("orders", "s", "m4");
        relay.turns(5);
        assertThat(tables.one(Integer.class, "select count(*) from $.outbox_message"))
                .isZero();
    }

    private SteppedRelay relay() {
        return new SteppedRelay(tables, broker, "orders").own();
    }

    private SteppedRelay relay(TcpProxy proxy) {
        var source = new PGSimpleDataSource();
        source.setUrl(database.server().jdbcUrl().replaceFirst(":\\d+/", ":" + proxy.port() + "/"));
        var made = new SteppedRelay(tables, source, broker, HoldPolicy.HOLD_SESSION, "orders");
        return made.own();
    }

    private TcpProxy proxy() {
        String port = database.server().jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1");
        return TcpProxy.to(Integer.parseInt(port));
    }

    private List<String> held() {
        return tables.fetch("select message_id from $.outbox_held_message order by hold_id, place")
                .getValues(0, String.class);
    }
}
