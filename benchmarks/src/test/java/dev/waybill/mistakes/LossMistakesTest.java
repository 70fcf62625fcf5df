package dev.waybill.mistakes;

import static dev.waybill.mistakes.Wallets.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.waybill.inbox.Deferrals;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mistakes of a set-up by which messages are lost; each with its cure. */
@Timeout(60)
class LossMistakesTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = Wallets.waybill();

    private static final Handler BOOK_WHAT_IS_APPROVED =
            (tx, message) -> tx.fetchOptional("select from approved where id = {0}", DSL.val(message.id()))
                            .isPresent()
                    ? Wallets.BOOK.handle(tx, message)
                    : Verdict.defer("approved-" + message.id());

    @Test
    void mistake_4_receive_and_delete_loses_what_a_crashed_consumer_had_in_hand(
            TestWaybill waybill, DataSource dataSource) throws Exception {
        crashInHand(waybill, ServiceBusReceiveMode.RECEIVE_AND_DELETE);

        assertThat(Wallets.booked(dataSource)).isEmpty();
    }

    @Test
    void cure_4_peek_lock_brings_it_again(TestWaybill waybill, DataSource dataSource) throws Exception {
        crashInHand(waybill, ServiceBusReceiveMode.PEEK_LOCK);

        assertThat(Wallets.booked(dataSource)).containsExactly("p1");
    }

    private static void crashInHand(TestWaybill waybill, ServiceBusReceiveMode mode) throws Exception {
        publishOne(waybill, queue -> queue);
        try (var crashing = PlainConsumer.of(waybill, mode)) {
            crashing.receive();
        }
        waybill.bus().expireLocks(Wallets.QUEUE);

        ledger(waybill, Wallets.BOOK);
    }

    @Test
    void mistake_7_a_dead_letter_that_is_sent_again_inside_the_duplicate_window_vanishes(
            TestWaybill waybill, DataSource dataSource) throws Exception {
        deadLetterOne(waybill);
        PlainOperator.sendAgain(waybill);

        assertVanished(waybill);
        ledger(waybill, Wallets.BOOK);
        assertThat(Wallets.booked(dataSource)).isEmpty();
    }

    @Test
    void cure_7_a_re_drive_gives_it_a_message_id_that_the_broker_has_not_seen(
            TestWaybill waybill, DataSource dataSource) throws Exception {
        deadLetterOne(waybill);
        new Letters(waybill).collect().redrive();

        ledger(waybill, Wallets.BOOK);
        assertThat(Wallets.booked(dataSource)).containsExactly("p1");
    }

    private static void deadLetterOne(TestWaybill waybill) throws Exception {
        publishOne(waybill, queue -> queue.duplicateDetection(Duration.ofMinutes(10)));
        ledger(waybill, (tx, message) -> Verdict.deadLetter("Bug", "of yesterday's release"));
        waybill.deadLettered(Wallets.QUEUE).hasIds("p1");
    }

    @Test
    void mistake_10_a_throttled_service_without_an_outbox_loses_the_messages_of_committed_payments(
            TestWaybill waybill, DataSource dataSource) {
        throttle(waybill);
        try (var service = new PlainService(waybill, waybill.connectionString())) {
            payments().forEach(id -> service.pay(id, "anna", "-1"));
        }

        assertThat(Wallets.requested(dataSource)).containsExactlyElementsOf(payments());
        assertThat(waybill.published(Wallets.QUEUE).ids()).containsExactly("p3", "p4");
    }

    @Test
    void cure_10_a_throttled_relay_backs_off_and_publishes_each_payment_in_order(TestWaybill waybill) {
        throttle(waybill);
        waybill.startRelay(Wallets.QUEUE);
        payments().forEach(id -> Wallets.pay(waybill, id, "anna", "-1"));

        await().until(() -> waybill.published(Wallets.QUEUE).ids().contains("p4"));
        assertThat(waybill.published(Wallets.QUEUE).ids()).containsExactlyElementsOf(payments());
    }

    private static void throttle(TestWaybill waybill) {
        waybill.bus().createQueue(Wallets.QUEUE, queue -> queue);
        waybill.bus().faults().at(FaultPoint.BEFORE_STORE).times(2).then(FaultAction.reject(BrokerError.SERVER_BUSY));
    }

    private static List<String> payments() {
        return IntStream.range(1, 5).mapToObj(i -> "p" + i).toList();
    }

    @Test
    void mistake_11_a_deferred_message_whose_number_died_with_its_consumer_never_comes(
            TestWaybill waybill, DataSource dataSource) throws Exception {
        publishOne(waybill, queue -> queue);
        try (var crashing = PlainConsumer.of(waybill)) {
            crashing.defer(crashing.receive());
        }

        approve(waybill);
        ledger(waybill, BOOK_WHAT_IS_APPROVED);

        assertThat(waybill.bus().inspect(Wallets.QUEUE).deferred()).isOne();
        assertThat(Wallets.booked(dataSource)).isEmpty();
    }

    @Test
    void cure_11_a_deferral_that_is_recorded_is_resumed_by_any_consumer(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        publishOne(waybill, queue -> queue);
        ledger(waybill, BOOK_WHAT_IS_APPROVED);
        assertThat(waybill.bus().inspect(Wallets.QUEUE).deferred()).isOne();

        approve(waybill);
        ledger(waybill, BOOK_WHAT_IS_APPROVED);

        assertThat(Wallets.booked(dataSource)).containsExactly("p1");
    }

    private static void approve(TestWaybill waybill) {
        waybill.outbox().inTransaction(tx -> {
            tx.execute("insert into approved values ('p1')");
            Deferrals.in(waybill.schema()).resume(tx, "ledger", "approved-p1");
        });
    }

    @Test
    void mistake_12_without_the_right_to_send_the_message_of_a_committed_payment_is_lost(
            TestWaybill waybill, DataSource dataSource) {
        waybill.bus().createQueue(Wallets.QUEUE, queue -> queue);
        try (var service = new PlainService(waybill, waybill.bus().connectionString(Wallets.LISTENER))) {
            assertThat(service.pay("p1", "anna", "-250")).isFalse();
        }
        try (var permitted = new PlainService(waybill, waybill.connectionString())) {
            assertThat(permitted.pay("p2", "anna", "-1")).isTrue();
        }

        assertThat(Wallets.requested(dataSource)).containsExactly("p1", "p2");
        waybill.published(Wallets.QUEUE).hasIds("p2");
    }

    @Test
    void cure_12_the_outbox_keeps_it_until_the_right_is_given(TestWaybill waybill) {
        waybill.bus().createQueue(Wallets.QUEUE, queue -> queue);
        Wallets.pay(waybill, "p1", "anna", "-250");
        try (var refused = Relay.builder(waybill.dataSource())
                .schema(waybill.schema())
                .destination(Wallets.QUEUE)
                .publisher(ServiceBusPublisher.of(waybill.bus().connectionString(Wallets.LISTENER)))
                .start()) {
            await().until(() ->
                    refused.health().destinations().stream().anyMatch(destination -> destination.isFailing()));
        }
        waybill.published(Wallets.QUEUE).isEmpty();

        waybill.publish();

        waybill.published(Wallets.QUEUE).hasIds("p1");
    }

    @Test
    void mistake_14_a_payment_that_expires_without_dead_lettering_is_gone_without_a_trace(
            TestWaybill waybill, DataSource dataSource) throws Exception {
        closeForTheWeekend(waybill, false);

        assertVanished(waybill);
        ledger(waybill, Wallets.BOOK);
        assertThat(Wallets.booked(dataSource)).isEmpty();
    }

    @Test
    void cure_14_a_payment_that_expires_is_a_dead_letter_and_comes_back(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        closeForTheWeekend(waybill, true);

        new Letters(waybill).collect().redrive();
        ledger(waybill, Wallets.BOOK);

        assertThat(Wallets.booked(dataSource)).containsExactly("p1");
    }

    private static void closeForTheWeekend(TestWaybill waybill, boolean deadLetters) {
        publishOne(waybill, queue -> queue.timeToLive(Duration.ofDays(1)).deadLetterOnExpiration(deadLetters));
        waybill.bus().advance(Duration.ofDays(2));
    }

    private static void publishOne(TestWaybill waybill, UnaryOperator<QueueOptions> queue) {
        waybill.bus().createQueue(Wallets.QUEUE, queue);
        Wallets.pay(waybill, "p1", "anna", "-250");
        waybill.publish();
    }

    private static void ledger(TestWaybill waybill, Handler handler) throws InterruptedException {
        waybill.consumer("ledger", Wallets.QUEUE, handler).handleAll();
    }

    private static void assertVanished(TestWaybill waybill) {
        assertThat(waybill.bus().inspect(Wallets.QUEUE).counts().total()).isZero();
        waybill.held().isEmpty();
    }
}
