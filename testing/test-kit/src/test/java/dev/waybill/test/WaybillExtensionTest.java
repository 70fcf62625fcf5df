package dev.waybill.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.Verdict;
import dev.waybill.message.WireContract;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A message's way through a test. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WaybillExtensionTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(bus -> bus.queue(
                            "orders", QueueOptions::requiresSession)
                    .queue("mails")
                    .topic("news", topic -> topic.subscription("all", s -> s)))
            .tables(
                    "create table stock (item text primary key, pieces int not null)",
                    "insert into stock values ('a', 10)");

    private static final Handler TAKE = (tx, message) -> {
        tx.execute("update stock set pieces = pieces - {0}", DSL.val(Integer.parseInt(message.text())));
        return Verdict.done();
    };

    @RepeatedTest(2)
    void each_test_has_a_database_and_a_broker_of_its_own(TestWaybill waybill, Outbox outbox, DataSource dataSource)
            throws Exception {
        waybill.appended().isEmpty();
        waybill.published("orders").isEmpty();

        waybill.transaction(tx -> outbox.append(tx, order("o1", "s", "3")));
        waybill.transaction(tx -> outbox.append(tx, order("o2", "s", "4")));
        waybill.appended().hasIds("o1", "o2").inSession("s").hasSize(2);
        waybill.published("orders").isEmpty();

        assertThat(waybill.publish()).isEqualTo(2);
        waybill.published("orders").hasIds("o1", "o2");
        waybill.handled("stock").isEmpty();

        waybill.consumer("stock", "orders", TAKE).handleAll().hasIds("o1", "o2");
        waybill.handled("stock").contain("o1", "o2").hasSize(2);
        assertThat(pieces(dataSource)).isEqualTo(3);
        waybill.requireAppendsCommitted();
    }

    @Test
    void a_consumer_handles_again_and_again_what_has_come_meanwhile(TestWaybill waybill) throws Exception {
        TestConsumer consumer = waybill.consumer("stock", "orders", TAKE);

        consumer.handleAll().isEmpty();
        waybill.transaction(tx -> waybill.outbox().append(tx, order("o1", "s", "1")));
        waybill.publish();
        consumer.handleAll().hasIds("o1");
        waybill.transaction(tx -> waybill.outbox().append(tx, order("o2", "t", "1")));
        waybill.publish();

        consumer.handleAll().hasIds("o2");
        assertThat(pieces(waybill.dataSource())).isEqualTo(8);
    }

    @Test
    void queues_without_sessions_and_subscriptions_are_served_too(TestWaybill waybill) throws Exception {
        waybill.transaction(tx -> {
            waybill.outbox()
                    .append(tx, OutboxMessage.to("mails").id("m").text("1").build());
            waybill.outbox()
                    .append(tx, OutboxMessage.to("news").id("n").text("2").build());
        });
        waybill.publish();

        waybill.published("news/all").hasIds("n");
        waybill.consumer("mails", "mails", TAKE).handleAll().hasIds("m");
        waybill.consumer("news", "news/all", TAKE).handleAll().hasIds("n");
        assertThat(pieces(waybill.dataSource())).isEqualTo(7);
    }

    @Test
    void what_fails_is_dead_lettered_and_says_why(TestWaybill waybill) throws Exception {
        waybill.transaction(tx -> waybill.outbox().append(tx, order("o1", "s", "many")));
        waybill.publish();

        SeenMessages settled = waybill.consumer("stock", "orders", TAKE).handleAll();

        assertThat(settled.single().detail()).startsWith("DEAD_LETTERED after").contains("NumberFormatException");
        SeenMessage letter = waybill.deadLettered("orders").hasIds("o1").single();
        assertThat(letter.detail()).contains("NumberFormatException");
        assertThat(letter.body()).isEqualTo("many");
        waybill.handled("stock").isEmpty();
    }

    @Test
    void a_held_session_is_seen_and_goes_on_when_it_is_released(TestWaybill waybill) throws Exception {
        var right = new AtomicInteger();
        Handler moody =
                (tx, message) -> right.get() == 0 ? Verdict.deadLetter("NotToday", "ask later") : Verdict.done();
        TestConsumer consumer = waybill.consumer("stock", "orders", moody, c -> c.onFailure(OnFailure.HOLD_SESSION));
        waybill.transaction(tx -> {
            waybill.outbox().append(tx, order("o1", "s", "1"));
            waybill.outbox().append(tx, order("o2", "s", "2"));
        });
        waybill.publish();
        consumer.handleAll();
        waybill.held().hasIds("o1", "o2");
        assertThat(waybill.held().list().get(0).detail()).contains("NotToday");

        right.set(1);
        waybill.time().releaseHolds();
        consumer.handleAll().hasIds("o1", "o2");
        waybill.held().isEmpty();
        waybill.handled("stock").hasSize(2);
    }

    @Test
    void a_message_for_later_comes_when_it_is_made_due(TestWaybill waybill) throws Exception {
        waybill.transaction(tx -> waybill.outbox()
                .append(
                        tx,
                        OutboxMessage.to("mails")
                                .id("later")
                                .text("hello")
                                .notBefore(Instant.parse("2100-01-01T00:00:00Z"))
                                .build()));

        waybill.scheduled().hasIds("later");
        assertThat(waybill.publish()).isZero();
        waybill.time().makeDue("later");
        assertThat(waybill.publish()).isEqualTo(1);
        waybill.scheduled().isEmpty();
        waybill.published("mails").hasIds("later");
        assertThatThrownBy(() -> waybill.time().makeDue("later"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("No message 'later' waits");
    }

    @Test
    void what_cannot_be_published_is_named(TestWaybill waybill) throws Exception {
        waybill.transaction(tx -> waybill.outbox()
                .append(tx, OutboxMessage.to("nowhere").id("m").text("x").build()));

        assertThatThrownBy(waybill::publish).isInstanceOf(AssertionError.class).hasMessageContaining("'m' (nowhere)");
    }

    @Test
    void a_due_message_that_the_database_does_not_move_is_named_with_the_reason(TestWaybill waybill) throws Exception {
        waybill.transaction(tx -> {
            waybill.outbox().append(tx, order("due", "s", "1", Instant.EPOCH));
            waybill.outbox().append(tx, order("now", "t", "1"));
            try (Statement statement = tx.createStatement()) {
                statement.execute("alter table waybill.outbox_message add constraint closed check (session_id <> 's')");
            }
        });

        assertThatThrownBy(waybill::publish)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("'due' (orders, session 's') 1: due since")
                .hasMessageContaining("constraint \"closed\"");
        waybill.published("orders").hasIds("now");
    }

    @Test
    void a_due_message_whose_session_an_open_transaction_keeps_is_named(TestWaybill waybill) throws Exception {
        waybill.transaction(tx -> waybill.outbox().append(tx, order("due", "s", "1", Instant.EPOCH)));
        waybill.transaction(open -> {
            waybill.outbox().append(open, order("open", "s", "1"));

            assertThatThrownBy(waybill::publish)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("'due' (orders, session 's') 1: due since")
                    .hasMessageContaining("open transaction that appends to the same session");
        });
        assertThat(waybill.publish()).isEqualTo(2);
    }

    @Test
    void an_append_that_nobody_commits_is_found_with_the_place_of_its_making(TestWaybill waybill) throws Exception {
        try (Connection connection = waybill.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            waybill.outbox().append(connection, order("lost", "s", "1"));
        }

        assertThatThrownBy(waybill::requireAppendsCommitted)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("nobody has committed")
                .hasMessageContaining("an_append_that_nobody_commits_is_found");
    }

    @Test
    void an_append_in_a_transaction_of_an_unwatched_pool_that_is_still_open_is_found(TestWaybill waybill)
            throws Exception {
        DataSource unwatched = raw(waybill);
        try (Connection connection = unwatched.getConnection()) {
            connection.setAutoCommit(false);
            waybill.outbox().append(connection, order("open", "s", "1"));
            assertThatThrownBy(waybill::requireAppendsCommitted)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("in a transaction that is open");
            connection.rollback();
        }
        waybill.requireAppendsCommitted();
    }

    @Test
    void an_append_that_is_rolled_back_on_purpose_is_no_fault(TestWaybill waybill) throws Exception {
        assertThatThrownBy(() -> waybill.transaction(tx -> {
                    waybill.outbox().append(tx, order("o1", "s", "1"));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        waybill.requireAppendsCommitted();
        waybill.appended().isEmpty();
    }

    @Test
    void a_handler_is_tried_out_in_a_transaction_that_leaves_nothing(TestWaybill waybill) throws Exception {
        Verdict verdict = waybill.tryOut(
                TAKE,
                TestMessage.of("o1").session("s").text("4").build(),
                tx -> assertThat(tx.fetchValue("select pieces from stock")).isEqualTo(6));

        assertThat(verdict).isEqualTo(Verdict.done());
        assertThat(pieces(waybill.dataSource())).isEqualTo(10);
        assertThatThrownBy(() -> waybill.tryOut(
                        Handler.onConnection((tx, message) -> {
                            tx.commit();
                            return Verdict.done();
                        }),
                        TestMessage.of("o1").build(),
                        tx -> {}))
                .hasMessageContaining("must not call commit");
    }

    @Test
    void relays_and_consumers_that_were_started_end_with_the_test(TestWaybill waybill, EmbeddedServiceBus bus)
            throws Exception {
        waybill.startRelay("orders");
        waybill.consumer("stock", "orders", TAKE).start();
        assertThat(bus.port()).isPositive();
    }

    @Test
    void an_expectation_that_could_not_fail_is_a_mistake(TestWaybill waybill) throws Exception {
        waybill.appended().isEmpty();

        assertThatThrownBy(() -> waybill.published("ordres")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> waybill.published("orders").withSubject("Placed"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("subject");
        assertThatThrownBy(() -> waybill.handled("ledger").inSession("s"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("session");
        assertThatThrownBy(() -> waybill.appended().contain()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> waybill.appended().allMatch("a body", message -> true))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    @Tag("long")
    void a_redriven_message_keeps_its_id_and_one_that_copied_another_s_property_has_its_own(TestWaybill waybill)
            throws Exception {
        String again = WireContract.redriveId("o1", "first");
        String broken = WireContract.redriveId("o2", "first");
        send(waybill, again, "o1", "1");
        send(waybill, "alien", "o1", "1");
        send(waybill, broken, "o2", "many");

        SeenMessages published = waybill.published("mails").hasIds("o1", "alien", "o2");
        assertThat(published.list())
                .extracting(SeenMessage::detail)
                .containsExactly("at the broker '" + again + "'", "", "at the broker '" + broken + "'");
        waybill.consumer("stock", "mails", TAKE).handleAll().contain("o1", "alien", "o2");
        waybill.handled("stock").contain("o1", "alien").hasSize(2);
        SeenMessage letter = waybill.deadLettered("mails").hasIds("o2").single();
        assertThat(letter.detail()).contains("NumberFormatException").endsWith("(at the broker '" + broken + "')");
    }

    private static void send(TestWaybill waybill, String brokerId, @Nullable String logicalId, String body) {
        var message = new ServiceBusMessage(body).setMessageId(brokerId);
        if (logicalId != null) {
            message.getApplicationProperties().put(WireContract.LOGICAL_ID, logicalId);
        }
        try (ServiceBusSenderClient sender = new ServiceBusClientBuilder()
                .connectionString(waybill.connectionString())
                .sender()
                .queueName("mails")
                .buildClient()) {
            sender.sendMessage(message);
        }
    }

    @Test
    void what_is_not_as_expected_is_listed(TestWaybill waybill) throws Exception {
        waybill.transaction(tx -> waybill.outbox().append(tx, order("o1", "s", "3")));

        assertThatThrownBy(() -> waybill.appended().hasIds("o2"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("Expected exactly [o2] in this order in the outbox, but there is 1:"
                        + "\n  'o1' (orders, session 's') 3: pending");
    }

    private static DataSource raw(TestWaybill waybill) throws SQLException {
        return waybill.dataSource().unwrap(com.zaxxer.hikari.HikariDataSource.class);
    }

    private static OutboxMessage order(String id, String session, String pieces) {
        return OutboxMessage.to("orders").session(session).id(id).text(pieces).build();
    }

    private static OutboxMessage order(String id, String session, String pieces, Instant due) {
        return OutboxMessage.to("orders")
                .session(session)
                .id(id)
                .notBefore(due)
                .text(pieces)
                .build();
    }

    private static int pieces(DataSource dataSource) {
        return DSL.using(dataSource, SQLDialect.POSTGRES)
                .fetchSingle("select pieces from stock")
                .get(0, Integer.class);
    }
}
