package dev.waybill.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.Deferrals;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxMaintenance;
import dev.waybill.inbox.Retention;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Times that pass without anybody waiting for them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TestTimeTest {
    private static final Instant FAR = Instant.parse("2100-01-01T00:00:00Z");

    @RegisterExtension
    static final WaybillExtension WAYBILL =
            WaybillExtension.with(bus -> bus.queue("orders", QueueOptions::requiresSession));

    @Test
    void what_is_scheduled_comes_when_the_time_has_passed_and_not_before(TestWaybill waybill) throws Exception {
        waybill.transaction(tx -> {
            Instant inAnHour = DSL.using(tx, SQLDialect.POSTGRES)
                    .fetchSingle("select now() + interval '1 hour'")
                    .get(0, Instant.class);
            waybill.outbox().append(tx, order("soon", inAnHour));
            waybill.outbox().append(tx, order("late", FAR));
        });

        waybill.time().pass(Duration.ofMinutes(30));
        assertThat(waybill.publish()).isZero();
        waybill.time().pass(Duration.ofMinutes(31));
        assertThat(waybill.publish()).isEqualTo(1);
        waybill.published("orders").hasIds("soon");
        waybill.scheduled().hasIds("late");
    }

    @Test
    void a_message_for_later_is_made_due_under_a_relay_that_runs(TestWaybill waybill) throws Exception {
        waybill.startRelay("orders");
        waybill.transaction(tx -> waybill.outbox().append(tx, order("late", FAR)));
        waybill.time().makeDue("late");

        waybill.consumer("stock", "orders", (tx, message) -> Verdict.done()).start();
        while (waybill.handled("stock").ids().isEmpty()) {
            Thread.onSpinWait();
        }
        waybill.scheduled().isEmpty();
    }

    @Test
    void a_hold_that_is_tried_again_later_is_tried_now(TestWaybill waybill) throws Exception {
        var ready = new AtomicBoolean();
        Handler handler = (tx, message) -> ready.get() ? Verdict.done() : Verdict.retry(Duration.ofHours(1));
        TestConsumer consumer = waybill.consumer("stock", "orders", handler);
        waybill.transaction(tx -> waybill.outbox().append(tx, order("o1", null)));
        waybill.publish();
        consumer.handleAll();
        waybill.held().hasIds("o1");

        ready.set(true);
        consumer.handleAll().isEmpty();
        waybill.time().makeHoldsDue();
        consumer.handleAll().hasIds("o1");
        waybill.held().isEmpty();
    }

    @Test
    void a_deferred_message_that_is_resumed_is_among_what_is_handled(TestWaybill waybill) throws Exception {
        var ready = new AtomicBoolean();
        Handler handler = (tx, message) -> ready.get() ? Verdict.done() : Verdict.defer("stock-came");
        TestConsumer consumer = waybill.consumer("stock", "orders", handler);
        waybill.transaction(tx -> waybill.outbox().append(tx, order("o1", null)));
        waybill.publish();
        consumer.handleAll();
        waybill.handled("stock").isEmpty();

        ready.set(true);
        waybill.transaction(
                tx -> Deferrals.in(waybill.schema()).resume(DSL.using(tx, SQLDialect.POSTGRES), "stock", "stock-came"));
        consumer.handleAll().hasIds("o1");
        waybill.handled("stock").hasIds("o1");
    }

    @Test
    void a_resumed_message_that_was_put_off_for_a_moment_is_waited_for(TestWaybill waybill) throws Exception {
        var ready = new AtomicBoolean();
        Handler handler = (tx, message) -> ready.get() ? Verdict.done() : Verdict.defer("stock-came");
        TestConsumer consumer = waybill.consumer("stock", "orders", handler);
        waybill.transaction(tx -> waybill.outbox().append(tx, order("o1", null)));
        waybill.publish();
        consumer.handleAll();
        ready.set(true);
        waybill.transaction(tx -> {
            Deferrals.in(waybill.schema()).resume(tx, "stock", "stock-came");
            execute(tx, "update waybill.inbox_deferral set tries = 1, resume_at = resume_at + interval '500 ms'");
        });

        consumer.handleAll().hasIds("o1");
    }

    @Test
    void a_message_that_was_deferred_in_its_hold_and_resumed_is_waited_for(TestWaybill waybill) throws Exception {
        var verdict = new AtomicReference<>(Verdict.retry(Duration.ofHours(1)));
        TestConsumer consumer = waybill.consumer(
                "stock",
                "orders",
                (tx, message) -> Objects.requireNonNull(verdict.get()),
                c -> c.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(300))));
        waybill.transaction(tx -> waybill.outbox().append(tx, order("o1", null)));
        waybill.publish();
        consumer.handleAll();
        verdict.set(Verdict.defer("stock-came"));
        waybill.time().makeHoldsDue();
        consumer.handleAll();
        waybill.held().hasIds("o1");

        verdict.set(Verdict.done());
        waybill.transaction(tx -> Deferrals.in(waybill.schema()).resume(tx, "stock", "stock-came"));
        consumer.handleAll().hasIds("o1");
        waybill.held().isEmpty();
    }

    @Test
    void a_resumed_message_that_the_broker_does_not_have_is_named(TestWaybill waybill) throws Exception {
        TestConsumer consumer = waybill.consumer("stock", "orders", (tx, message) -> Verdict.defer("stock-came"));
        waybill.transaction(tx -> waybill.outbox().append(tx, order("o1", null)));
        waybill.publish();
        consumer.handleAll();
        waybill.transaction(tx -> {
            Deferrals.in(waybill.schema()).resume(tx, "stock", "stock-came");
            execute(tx, "update waybill.inbox_deferral set sequence_number = sequence_number + 1000");
        });

        assertThatThrownBy(() -> consumer.handleAll(Duration.ofMillis(300)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("deferred message 'o1', which was resumed");
    }

    private static void execute(Connection tx, String sql) throws SQLException {
        try (Statement statement = tx.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void ids_grow_older_than_their_retention(TestWaybill waybill) throws Exception {
        var retention = new Retention(Duration.ofDays(8), Duration.ofDays(7), Duration.ZERO, Duration.ofDays(1));
        waybill.transaction(tx -> waybill.outbox().append(tx, order("o1", null)));
        waybill.publish();
        try (TestConsumer consumer =
                waybill.consumer("stock", "orders", (tx, message) -> Verdict.done(), c -> c.retention(retention))) {
            consumer.start();
            while (waybill.handled("stock").ids().isEmpty() || !isKnownToBeAtWork(waybill)) {
                Thread.onSpinWait();
            }
        }
        var maintenance = InboxMaintenance.in(waybill.dataSource(), waybill.schema());

        waybill.time().pass(Duration.ofDays(7));
        assertThat(maintenance.prune("stock", retention, false)).isZero();
        waybill.time().pass(Duration.ofDays(2));
        assertThat(maintenance.prune("stock", retention, false)).isEqualTo(1);
        waybill.handled("stock").isEmpty();
    }

    private static boolean isKnownToBeAtWork(TestWaybill waybill) {
        return DSL.using(waybill.dataSource(), SQLDialect.POSTGRES).fetchCount(DSL.table("waybill.inbox_consumer")) > 0;
    }

    private static OutboxMessage order(String id, @org.jspecify.annotations.Nullable Instant time) {
        OutboxMessage.Builder order =
                OutboxMessage.to("orders").session("s").id(id).text("x");
        return time == null ? order.build() : order.notBefore(time).build();
    }
}
