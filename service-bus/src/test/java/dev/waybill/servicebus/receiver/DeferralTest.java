package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.Deferral;
import dev.waybill.inbox.Deferrals;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DeferralTest {
    private final AtomicBoolean early = new AtomicBoolean(true);
    BusFixture it;
    private Deferrals deferrals;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(
                database, broker -> broker.queue("tasks").queue("orders", queue -> queue.requiresSession()));
        deferrals = Deferrals.in(it.schema);
    }

    @AfterEach
    void stop() {
        it.close();
    }

    @Test
    void a_deferred_message_lets_its_session_go_on_and_is_applied_once_when_it_is_resumed() {
        it.consume(
                it.sessions("orders"),
                this::handle,
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50))));
        it.send("orders", "s", "shipment");
        it.send("orders", "s", "m2");
        await().until(() ->
                it.bus.inspect("orders").deferred() == 1 && it.effects().size() == 1);
        assertThat(deferrals.olderThan(it.dsl, "test", Duration.ZERO))
                .singleElement()
                .satisfies(deferral -> {
                    assertThat(deferral.messageId()).isEqualTo("shipment");
                    assertThat(deferral.resumeAt()).isNull();
                });

        early.set(false);
        resume();

        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("m2", "shipment"));
        await().until(() -> it.bus.inspect("orders").deferred() == 0);
        assertThat(rows()).isZero();
    }

    @Test
    void without_sessions_it_is_the_same() {
        it.consume(
                it.messages("tasks"),
                this::handle,
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50))));
        it.send("tasks", "", "shipment");
        await().until(() -> it.bus.inspect("tasks").deferred() == 1);

        early.set(false);
        resume();

        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("shipment"));
        await().until(() -> it.bus.inspect("tasks").deferred() == 0 && rows() == 0);
    }

    @Test
    void a_message_whose_number_is_stored_but_which_the_broker_was_not_told_to_defer_comes_again_and_is_applied_once() {
        it.bus
                .faults()
                .at(FaultPoint.BEFORE_SETTLE)
                .entity("orders")
                .operation("deferred")
                .times(1)
                .onHit(event -> early.set(false))
                .then(FaultAction.dropConnection());
        it.consume(
                it.sessions("orders"),
                this::handle,
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50))));
        it.send("orders", "s", "shipment");
        await().until(() -> !early.get());
        it.bus.expireLocks("orders");

        it.awaitSettled("orders", 1);

        assertThat(it.effects()).containsExactly("shipment");
        assertThat(it.bus.inspect("orders").deferred()).isZero();
        assertThat(rows()).isZero();
    }

    @Test
    void what_the_broker_does_not_find_stays_known_and_is_not_taken_for_lost() throws Exception {
        it.dsl.execute("insert into " + it.schema.table("inbox_deferral")
                + " (key, consumer, message_id, defer_key, session_id, sequence_number, enqueued_at)"
                + " values (gen_random_uuid(), 'test', 'ghost', 'order-1', 's', 4711, now())");
        it.consume(
                it.sessions("orders"),
                this::handle,
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50))));

        resume();

        await().untilAsserted(() -> assertThat(deferrals.olderThan(it.dsl, "test", Duration.ZERO))
                .singleElement()
                .satisfies(deferral -> assertThat(deferral.tries()).isPositive()));
    }

    @Test
    void a_deferred_message_that_nobody_resumes_is_reported_and_stays() {
        var forgotten = new CopyOnWriteArrayList<String>();
        var listener = new ConsumerListener() {
            @Override
            public void forgotten(Deferral deferral) {
                forgotten.add(deferral.messageId() + " " + deferral.deferKey());
            }
        };
        it.consume(
                it.sessions("orders"),
                this::handle,
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50))
                                .deferralWarningAfter(Duration.ZERO))
                        .listener(listener));
        it.send("orders", "s", "shipment");

        await().untilAsserted(() -> assertThat(forgotten).contains("shipment order-1"));

        await().untilAsserted(
                        () -> assertThat(it.bus.inspect("orders").deferred()).isEqualTo(1));
        early.set(false);
        resume();
        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("shipment"));
    }

    @Test
    void a_resume_that_commits_before_the_deferral_is_stored_is_not_lost() {
        var resumed = new AtomicInteger(-1);
        it.consume(
                it.sessions("orders"),
                (tx, message) -> {
                    if (early.getAndSet(false)) {
                        // Meanwhile, in the service that takes orders.
                        resumed.set(
                                it.dsl.transactionResult(other -> deferrals.resume(other.dsl(), "test", "order-1")));
                        return Verdict.defer("order-1");
                    }
                    return it.effect(tx, message);
                },
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50))));

        it.send("orders", "s", "shipment");

        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("shipment"));
        assertThat(resumed).hasValue(0);
        await().until(() -> it.bus.inspect("orders").deferred() == 0 && rows() == 0);
    }

    @Test
    void a_message_that_is_deferred_out_of_a_hold_comes_back_when_it_is_resumed() {
        var calls = new AtomicInteger();
        it.consume(
                it.sessions("orders"),
                (tx, message) -> switch (calls.incrementAndGet()) {
                    case 1 -> Verdict.retry(Duration.ofMillis(100));
                    case 2 -> Verdict.defer("order-1");
                    default -> it.effect(tx, message);
                },
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(20))));
        it.send("orders", "s", "shipment");
        await().until(() -> rows() == 1);

        resume();

        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("shipment"));
        await().until(() -> rows() == 0);
    }

    @Test
    void the_deferral_of_a_message_that_becomes_a_dead_letter_is_forgotten() {
        it.consume(
                it.sessions("orders"),
                (tx, message) -> early.get() ? Verdict.defer("order-1") : Verdict.deadLetter("Bad", "bad"),
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50))));
        it.send("orders", "s", "shipment");
        await().until(() -> it.bus.inspect("orders").deferred() == 1);
        early.set(false);

        resume();

        await().until(() -> it.bus.inspect("orders").deadLetters() == 1);
        await().until(() -> rows() == 0);
    }

    @Test
    void of_two_copies_that_are_deferred_the_first_one_comes_back_and_none_lies_on_the_broker_for_ever() {
        it.consume(
                it.sessions("orders"),
                this::handle,
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50))));
        it.sendCopy("orders", "s", "copy-1", "shipment");
        await().until(() -> it.bus.inspect("orders").deferred() == 1 && rows() == 1);
        it.sendCopy("orders", "s", "copy-2", "shipment");
        it.send("orders", "s", "m2");
        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("m2"));
        early.set(false);

        resume();

        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("m2", "shipment"));
        await().until(() -> it.bus.inspect("orders").deferred() == 0 && rows() == 0);
        it.awaitSettled("orders", 3);
    }

    private Verdict handle(DSLContext tx, InboundMessage message) {
        it.effect(tx, message);
        return message.id().equals("shipment") && early.get() ? Verdict.defer("order-1") : Verdict.done();
    }

    private void resume() {
        it.dsl.transaction(
                tx -> assertThat(deferrals.resume(tx.dsl(), "test", "order-1")).isEqualTo(1));
    }

    private int rows() {
        return it.dsl.fetchCount(DSL.table(it.schema.table("inbox_deferral")));
    }
}
