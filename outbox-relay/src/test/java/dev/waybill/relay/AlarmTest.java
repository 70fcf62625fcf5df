package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** An alarm about messages that stand still is seen from the database alone, and is gone when they move again. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class AlarmTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private SchemaName schema;
    private Outbox outbox;
    private DSLContext dsl;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        outbox = Outbox.builder().schema(schema).build();
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    }

    @Test
    void a_broker_that_is_away_raises_an_alarm_for_its_destination_until_it_is_back() {
        broker.behave(shipment -> shipment.destination().equals("orders")
                ? PublishResult.failed(0, new IllegalStateException("the broker is away"))
                : PublishResult.accepted(shipment.rows().size()));
        try (var relay = relay(broker)) {
            relay.start();
            append("orders", "m1");
            append("invoices", "m2");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(alarms("unavailable")).containsExactly("critical orders"));

            broker.takeEverything();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(dsl.fetch("select * from " + schema.table("relay_alarm")))
                            .isEmpty());
            assertThat(broker.arrived()).contains("m1", "m2");
        }
    }

    @Test
    void messages_that_are_overdue_and_that_no_relay_moves_raise_an_alarm() {
        try (var relay = relay(broker)) {
            relay.start();
            schedule("nowhere", "m1");
            schedule("elsewhere", "m2");
            dsl.execute("update " + schema.table("outbox_scheduled")
                    + " set due_at = clock_timestamp() - interval '2 minutes' where destination = 'nowhere'");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(alarms("stalled")).containsExactly("critical nowhere"));

            dsl.execute("delete from " + schema.table("outbox_scheduled") + " where destination = 'nowhere'");
            assertThat(alarms("stalled")).isEmpty();
        }
    }

    @Test
    void a_message_that_was_due_before_all_time_silences_no_alarm() {
        schedule("nowhere", "m1");
        dsl.execute("update " + schema.table("outbox_scheduled") + " set due_at = '-infinity'");

        assertThat(alarms("stalled")).containsExactly("critical nowhere");
        assertThat(alarms("no-relay")).hasSize(1);
    }

    @Test
    void a_broker_that_is_away_raises_an_alarm_although_another_relay_has_nothing_to_send() {
        broker.behave(shipment -> PublishResult.failed(0, new IllegalStateException("the broker is away")));
        try (var one = relay(broker);
                var other = relay(broker)) {
            one.start();
            other.start();
            await().atMost(PATIENCE)
                    .until(() ->
                            dsl.fetchCount(DSL.table(schema.table("relay_liveness")), DSL.condition("alive")) == 2);

            append("orders", "m1");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(alarms("unavailable")).containsExactly("critical orders"));
            broker.takeEverything();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(dsl.fetch("select * from " + schema.table("relay_alarm")))
                            .isEmpty());
        }
    }

    @Test
    void a_destination_without_messages_raises_no_alarm() {
        try (var relay = relay(broker)) {
            relay.start();
            append("orders", "m1");
            await().atMost(PATIENCE).until(() -> broker.arrived().contains("m1"));

            await().during(Duration.ofSeconds(3))
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(dsl.fetch("select * from " + schema.table("relay_alarm")))
                            .isEmpty());
        }
    }

    @Test
    void a_relay_whose_loop_hangs_raises_an_alarm_until_it_moves() {
        var blocking = new BlockingPublisher(broker);
        try (var relay = relay(blocking)) {
            relay.start();
            append("orders", "m1");
            try {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(alarms("hanging")).isNotEmpty());
            } finally {
                blocking.released.countDown();
            }

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(dsl.fetch("select * from " + schema.table("relay_alarm")))
                            .isEmpty());
            await().atMost(PATIENCE).until(() -> broker.arrived().contains("m1"));
        }
    }

    @Test
    void a_late_message_that_keeps_its_lane_is_counted_with_its_age() throws SQLException {
        broker.behave(shipment -> shipment.rows().get(0).messageId().equals("late")
                ? PublishResult.failed(0, new IllegalStateException("only this one fails"))
                : PublishResult.accepted(shipment.rows().size()));
        List<String> sessions = sessionsOfOneLane();
        try (var relay = relay(broker)) {
            relay.start();
            try (Connection tx = database.dataSource().getConnection()) {
                tx.setAutoCommit(false);
                outbox.append(tx, message("orders", sessions.get(0), "late"));
                dsl.transaction(other -> outbox.append(other.dsl(), message("orders", sessions.get(1), "early")));
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(statusOf("early")).isEqualTo("published"));
                tx.commit();
            }

            awaitPending(1);
            broker.takeEverything();
            await().atMost(PATIENCE).until(() -> broker.arrived().contains("late"));
            awaitPending(0);
        }
    }

    private void awaitPending(long pending) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Record backlog = dsl.fetchOne("select coalesce(sum(pending), 0)::bigint as pending,"
                    + " coalesce(max(oldest_age_seconds), 0) > 0 as aged from " + schema.table("outbox_backlog"));
            assertThat(backlog).isNotNull();
            assertThat(backlog.get("pending", Long.class)).isEqualTo(pending);
            assertThat(backlog.get("aged", Boolean.class)).isEqualTo(pending > 0);
        });
    }

    private List<String> alarms(String name) {
        return dsl.fetch(
                        "select severity || ' ' || coalesce(destination, '') from " + schema.table("relay_alarm")
                                + " where alarm = {0}",
                        DSL.inline(name))
                .getValues(0, String.class);
    }

    private Relay relay(Publisher publisher) {
        return Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .destination("invoices")
                .publisher(publisher)
                .leaseDuration(Duration.ofSeconds(1))
                .build();
    }

    private void append(String destination, String id) {
        dsl.transaction(tx -> outbox.append(tx.dsl(), message(destination, id, id)));
    }

    private void schedule(String destination, String id) {
        OutboxMessage message = OutboxMessage.to(destination)
                .session(id)
                .id(id)
                .text(id)
                .notBefore(Instant.parse("2100-01-01T00:00:00Z"))
                .build();
        dsl.transaction(tx -> outbox.append(tx.dsl(), message));
    }

    private static OutboxMessage message(String destination, String session, String id) {
        return OutboxMessage.to(destination).session(session).id(id).text(id).build();
    }

    private String statusOf(String id) {
        return dsl.fetchSingle(
                        "select status from " + schema.table("outbox_message_status") + " where message_id = {0}",
                        DSL.inline(id))
                .get(0, String.class);
    }

    // Only a message of the same lane that was sent before moves the lane past a late one.
    private List<String> sessionsOfOneLane() {
        return dsl.fetch("select 's' || n as session from generate_series(1, 1000) n"
                        + " where hashtextextended(('s' || n) collate \"C\", 0) & 31 = 7 order by n limit 2")
                .getValues("session", String.class);
    }

    /** Does not come back from its first call until it is let. */
    private static final class BlockingPublisher implements Publisher {
        private final Publisher publisher;
        private final CountDownLatch released = new CountDownLatch(1);

        BlockingPublisher(Publisher publisher) {
            this.publisher = publisher;
        }

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return publisher.publish(shipment);
        }

        @Override
        public Duration longestSend() {
            return Duration.ofSeconds(1);
        }

        @Override
        public void close() {
            publisher.close();
        }
    }
}
