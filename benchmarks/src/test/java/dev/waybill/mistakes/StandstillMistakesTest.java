package dev.waybill.mistakes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mistakes of a set-up by which messages stand still; each with its cure. */
@Timeout(60)
class StandstillMistakesTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = Wallets.waybill();

    /** With the letter O in place of a zero. */
    private static final String MISTYPED = "-1O0";

    @Test
    void mistake_5_a_dead_letter_that_nobody_collects_stands_still_while_all_looks_quiet(
            TestWaybill waybill, DataSource dataSource) throws Exception {
        deadLetterAMistypedPayment(waybill);

        waybill.runUntilQuiet();
        waybill.bus().advance(Duration.ofDays(365));

        waybill.held().isEmpty();
        assertThat(waybill.bus().inspect(Wallets.QUEUE).active()).isZero();
        assertThat(Wallets.booked(dataSource)).isEmpty();
    }

    @Test
    void cure_5_a_collector_stores_it_and_an_operator_mends_and_re_drives_it(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        deadLetterAMistypedPayment(waybill);

        new Letters(waybill).collect().mend("-100").redrive();
        waybill.runUntilQuiet();

        assertThat(Wallets.balances(dataSource)).containsExactly(-100L);
    }

    private static void deadLetterAMistypedPayment(TestWaybill waybill) throws Exception {
        waybill.bus().createQueue(Wallets.QUEUE, QueueOptions::requiresSession);
        Wallets.pay(waybill, "p1", "anna", MISTYPED);
        waybill.publish();
        waybill.consumer("ledger", Wallets.QUEUE, Wallets.BOOK).handleAll();
        waybill.deadLettered(Wallets.QUEUE).hasIds("p1");
    }

    /** The consumer keeps the order: after a failure it begins the session again. */
    @Test
    void mistake_6_a_message_that_may_fail_two_thousand_times_stands_before_all_others_of_its_wallet(
            TestWaybill waybill, DataSource dataSource) {
        payAfterAMistypedPayment(waybill, 2_000);

        for (int i = 0; i < 12; i++) {
            try (var consumer = PlainConsumer.ofNextSession(waybill)) {
                consumer.turn();
            }
        }

        assertThat(Wallets.booked(dataSource)).isEmpty();
        waybill.deadLettered(Wallets.QUEUE).isEmpty();
    }

    @Test
    void cure_6_a_consumer_gives_it_up_in_time_and_the_others_go_on(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        payAfterAMistypedPayment(waybill, 10);

        waybill.consumer("ledger", Wallets.QUEUE, Wallets.BOOK).handleAll();

        assertThat(Wallets.booked(dataSource)).containsExactly("p2");
        waybill.deadLettered(Wallets.QUEUE).hasIds("p1");
    }

    private static void payAfterAMistypedPayment(TestWaybill waybill, int deliveries) {
        waybill.bus()
                .createQueue(Wallets.QUEUE, queue -> queue.requiresSession().maxDeliveryCount(deliveries));
        Wallets.pay(waybill, "p1", "anna", MISTYPED);
        Wallets.pay(waybill, "p2", "anna", "-100");
        waybill.publish();
    }

    @Test
    void mistake_9_wallets_that_share_a_session_wait_for_each_other(TestWaybill waybill) throws Exception {
        assertThat(bookSideBySide(waybill, "north", "north", Duration.ofMillis(300)))
                .isFalse();
    }

    @Test
    void cure_9_with_a_session_for_each_wallet_they_are_booked_side_by_side(TestWaybill waybill) throws Exception {
        assertThat(bookSideBySide(waybill, "anna", "bert", Duration.ofSeconds(30)))
                .isTrue();
    }

    /** Whether the second payment is booked while the first one takes its time. */
    private static boolean bookSideBySide(TestWaybill waybill, String first, String second, Duration time)
            throws Exception {
        waybill.bus().createQueue(Wallets.QUEUE, QueueOptions::requiresSession);
        Wallets.pay(waybill, "slow", first, "-1");
        Wallets.pay(waybill, "quick", second, "-1");
        waybill.publish();
        var booked = new CountDownLatch(1);
        var meanwhile = new AtomicBoolean();

        waybill.consumer("ledger", Wallets.QUEUE, (tx, message) -> {
                    if (message.id().equals("slow")) {
                        meanwhile.set(booked.await(time.toMillis(), TimeUnit.MILLISECONDS));
                    } else {
                        booked.countDown();
                    }
                    return Wallets.BOOK.handle(tx, message);
                })
                .handleAll();
        return meanwhile.get();
    }

    @Test
    void mistake_13_a_statement_above_the_brokers_limit_stops_the_payments_of_its_wallet(
            TestWaybill waybill, DataSource dataSource) throws Exception {
        sendAStatement(waybill, Destination.of(Wallets.QUEUE).withMaximumBytes(1 << 20), settings -> settings);

        waybill.held().hasIds("statement", "p2");
        assertThat(Wallets.booked(dataSource)).isEmpty();
    }

    @Test
    void cure_13_a_claim_check_sends_it_whole(TestWaybill waybill, DataSource dataSource) throws Exception {
        ClaimStore claims = ClaimStore.inPostgres(waybill.schema());
        sendAStatement(
                waybill, Destination.of(Wallets.QUEUE).withClaimsAbove(200_000), ledger -> ledger.claims(claims));

        waybill.held().isEmpty();
        assertThat(Wallets.booked(dataSource)).containsExactly("300000 bytes", "p2");
    }

    private static void sendAStatement(
            TestWaybill waybill, Destination destination, UnaryOperator<InboxConsumer.Builder> settings)
            throws Exception {
        waybill.bus()
                .createQueue(
                        Wallets.QUEUE, queue -> queue.requiresSession().maxMessageBytes(Destination.STANDARD_BYTES));
        Outbox outbox = Outbox.builder(waybill.dataSource())
                .schema(waybill.schema())
                .claims(ClaimStore.inPostgres(waybill.schema()))
                .destination(destination.withSessions())
                .build();
        outbox.inTransaction(tx -> {
            outbox.append(tx, Wallets.payment("statement", "anna", "x".repeat(300_000)));
            outbox.append(tx, Wallets.payment("p2", "anna", "-1"));
        });
        waybill.publish();

        waybill.consumer(
                        "ledger",
                        Wallets.QUEUE,
                        (tx, message) -> {
                            if (message.id().equals("statement")) {
                                Wallets.book(tx, message.body().length + " bytes", "anna", "0");
                                return Verdict.done();
                            }
                            return Wallets.BOOK.handle(tx, message);
                        },
                        settings)
                .handleAll();
    }
}
