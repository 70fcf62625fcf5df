package dev.waybill.mistakes;

import static dev.waybill.mistakes.Wallets.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.SubscriptionOptions;
import dev.waybill.servicebus.embedded.config.SubscriptionRule;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mistakes of a set-up by which messages arrive out of order, twice, or where they should not; each with its cure. */
@Timeout(60)
class ArrivalMistakesTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = Wallets.waybill();

    @Test
    void mistake_1_without_sessions_a_withdrawal_overtakes_its_deposit_and_overdraws_the_wallet(
            TestWaybill waybill, DataSource dataSource) throws Exception {
        bookASlowDeposit(waybill, queue -> queue, Duration.ofSeconds(30));

        assertThat(Wallets.balances(dataSource)).containsExactly(-80L, 20L);
    }

    @Test
    void cure_1_with_sessions_a_withdrawal_waits_for_its_deposit(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        bookASlowDeposit(waybill, QueueOptions::requiresSession, Duration.ofMillis(300));

        assertThat(Wallets.balances(dataSource)).containsExactly(100L, 20L);
    }

    /** @param chance how long the deposit gives the withdrawal to overtake it */
    private static void bookASlowDeposit(TestWaybill waybill, UnaryOperator<QueueOptions> queue, Duration chance)
            throws Exception {
        waybill.bus().createQueue(Wallets.QUEUE, queue);
        Wallets.pay(waybill, "deposit", "anna", "100");
        Wallets.pay(waybill, "withdrawal", "anna", "-80");
        waybill.publish();
        var withdrawn = new CountDownLatch(1);

        ledger(waybill, (tx, message) -> {
            if (message.id().equals("deposit")) {
                boolean unused = withdrawn.await(chance.toMillis(), TimeUnit.MILLISECONDS);
            }
            Wallets.BOOK.handle(tx, message);
            if (message.id().equals("withdrawal")) {
                withdrawn.countDown();
            }
            return Verdict.done();
        });
    }

    @Test
    void mistake_2_without_duplicate_detection_a_lost_acknowledgement_debits_twice(
            TestWaybill waybill, DataSource dataSource) {
        loseAnAcknowledgement(waybill, queue -> queue);

        assertThat(Wallets.booked(dataSource)).containsExactly("p1", "p1", "p2");
        assertThat(Wallets.balances(dataSource)).endsWith(-500L);
    }

    @Test
    void cure_2_with_duplicate_detection_the_repeat_does_not_arrive(TestWaybill waybill, DataSource dataSource) {
        loseAnAcknowledgement(waybill, queue -> queue.duplicateDetection(Duration.ofMinutes(10)));

        assertThat(Wallets.booked(dataSource)).containsExactly("p1", "p2");
    }

    private static void loseAnAcknowledgement(TestWaybill waybill, UnaryOperator<QueueOptions> queue) {
        waybill.bus().createQueue(Wallets.QUEUE, queue);
        var stored = waybill.bus().faults().at(FaultPoint.STORED_BEFORE_ACK);
        var lost = stored.times(1).then(FaultAction.dropConnection());
        waybill.startRelay(Wallets.QUEUE);
        Wallets.pay(waybill, "p1", "anna", "-250");
        await().until(() -> lost.hits() == 1);
        Wallets.pay(waybill, "p2", "anna", "0");
        await().until(() -> waybill.published(Wallets.QUEUE).ids().contains("p2"));

        try (var ledger = PlainConsumer.of(waybill)) {
            while (waybill.bus().inspect(Wallets.QUEUE).active() > 0) {
                ledger.turn();
            }
        }
    }

    @Test
    void mistake_3_a_consumer_that_outlasts_its_lock_debits_beside_the_next_one(
            TestWaybill waybill, DataSource dataSource) {
        onePayment(waybill, queue -> queue);
        try (var slow = PlainConsumer.of(waybill);
                var next = PlainConsumer.of(waybill)) {
            ServiceBusReceivedMessage inHand = slow.receive();
            waybill.bus().expireLocks(Wallets.QUEUE);
            next.turn();
            slow.book(inHand);
        }

        assertThat(Wallets.balances(dataSource)).containsExactly(-250L, -500L);
    }

    @Test
    void cure_3_the_lock_of_a_slow_handler_is_renewed(TestWaybill waybill, DataSource dataSource) throws Exception {
        onePayment(waybill, queue -> queue.lockDuration(Duration.ofSeconds(2)));
        var renewal = waybill.bus().faults().at(FaultPoint.MANAGEMENT).operation("renew-lock");
        var renewed = renewal.then(FaultAction.observe());

        ledger(waybill, (tx, message) -> {
            await().until(() -> renewed.hits() > 0);
            return Wallets.BOOK.handle(tx, message);
        });

        assertThat(Wallets.balances(dataSource)).containsExactly(-250L);
    }

    @Test
    void cure_3_an_inbox_books_once_although_the_lock_is_lost(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        onePayment(waybill, queue -> queue);
        var delivered = waybill.bus().faults().at(FaultPoint.DELIVERED).then(FaultAction.observe());

        ledger(waybill, (tx, message) -> {
            if (delivered.hits() == 1) {
                waybill.bus().expireLocks(Wallets.QUEUE);
                await().until(() -> delivered.hits() > 1);
            }
            return Wallets.BOOK.handle(tx, message);
        });

        assertThat(delivered.hits()).isGreaterThan(1);
        assertThat(Wallets.balances(dataSource)).containsExactly(-250L);
    }

    private static void onePayment(TestWaybill waybill, UnaryOperator<QueueOptions> queue) {
        waybill.bus().createQueue(Wallets.QUEUE, queue);
        Wallets.pay(waybill, "p1", "anna", "-250");
        waybill.publish();
    }

    @Test
    void mistake_8_with_its_default_rule_the_fraud_desk_freezes_every_wallet(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        watchForFraud(waybill, fraud -> fraud.rule(SubscriptionRule.everything()));

        assertThat(Wallets.booked(dataSource)).containsExactlyInAnyOrder("coffee", "yacht");
    }

    @Test
    void cure_8_without_it_the_fraud_desk_sees_what_its_rule_chooses(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        watchForFraud(waybill, fraud -> fraud);

        assertThat(Wallets.booked(dataSource)).containsExactly("yacht");
    }

    private static void watchForFraud(TestWaybill waybill, UnaryOperator<SubscriptionOptions> left) throws Exception {
        waybill.bus()
                .createTopic(
                        "wallet-events",
                        topic -> topic.subscription(
                                "fraud", fraud -> left.apply(fraud).sqlRule("large", "cents >= 100000")));
        waybill.outbox().inTransaction(tx -> {
            waybill.outbox().append(tx, event("coffee", 250));
            waybill.outbox().append(tx, event("yacht", 25_000_000));
        });
        waybill.publish();

        waybill.consumer("fraud", "wallet-events/fraud", Wallets.BOOK).handleAll();
    }

    private static OutboxMessage event(String id, long cents) {
        return OutboxMessage.to("wallet-events")
                .id(id)
                .session("anna")
                .header("cents", cents)
                .text("0")
                .build();
    }

    private static void ledger(TestWaybill waybill, Handler handler) throws InterruptedException {
        waybill.consumer("ledger", Wallets.QUEUE, handler).handleAll();
    }
}
