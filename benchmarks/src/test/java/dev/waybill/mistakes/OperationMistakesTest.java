package dev.waybill.mistakes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What happens without patterns of operation that the doctor cannot ask for, and with them. */
@Timeout(60)
class OperationMistakesTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = Wallets.waybill();

    private static final int ROUNDS = 5;

    private final AtomicInteger tries = new AtomicInteger();

    @Test
    void without_quarantine_a_message_that_always_dies_is_sent_again_for_ever(TestWaybill waybill) throws Exception {
        publishOne(waybill, queue -> queue);
        for (int round = 0; round < ROUNDS; round++) {
            die(waybill);
            PlainOperator.sendAgain(waybill);
        }

        assertThat(tries).hasValue(ROUNDS);
        assertThat(waybill.bus().inspect(Wallets.QUEUE).active()).isOne();
    }

    @Test
    void with_quarantine_it_waits_for_an_operator_after_three_re_drives(TestWaybill waybill) throws Exception {
        publishOne(waybill, queue -> queue);
        var letters = new Letters(waybill);
        for (int round = 0; round < ROUNDS; round++) {
            die(waybill);
            letters.collect().redrive();
        }

        assertThat(tries).hasValue(4);
        assertThat(letters.count(DeadLetter.State.QUARANTINED)).isOne();
    }

    private void die(TestWaybill waybill) throws Exception {
        waybill.consumer("ledger", Wallets.QUEUE, (tx, message) -> {
                    tries.incrementAndGet();
                    return Verdict.deadLetter("Bug", "in every release");
                })
                .handleAll();
    }

    @Test
    void without_an_archive_nobody_can_say_what_the_purged_payment_was(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        publishOne(waybill, queue -> queue);
        die(waybill);

        PlainOperator.purge(waybill);

        assertThat(waybill.bus().inspect(Wallets.QUEUE).counts().total()).isZero();
        assertThat(Wallets.requested(dataSource)).containsExactly("p1");
    }

    @Test
    void with_an_archive_the_discarded_payment_comes_back_within_six_weeks(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        publishOne(waybill, queue -> queue);
        die(waybill);
        var letters = new Letters(waybill).collect().archive();
        assertThat(letters.count(DeadLetter.State.ARCHIVED)).isOne();

        letters.restore().redrive();
        waybill.consumer("ledger", Wallets.QUEUE, Wallets.BOOK).handleAll();

        assertThat(Wallets.balances(dataSource)).containsExactly(-250L);
    }

    @Test
    void without_a_collector_of_transfers_a_payment_that_could_not_be_forwarded_is_in_no_list(TestWaybill waybill) {
        forwardToNowhere(waybill);

        var letters = new Letters(waybill).collect();

        assertThat(letters.count(DeadLetter.State.OPEN)).isZero();
        waybill.deadLettered(Wallets.QUEUE).isEmpty();
        assertThat(waybill.bus().inspect(Wallets.QUEUE).transferDeadLetters()).isOne();
    }

    @Test
    void with_a_collector_of_transfers_it_arrives_when_the_target_is_there(TestWaybill waybill) throws Exception {
        forwardToNowhere(waybill);
        var letters = new Letters(waybill).collectTransfers();
        assertThat(letters.count(DeadLetter.State.OPEN)).isOne();

        waybill.bus().createQueue("audit", queue -> queue);
        letters.redrive();

        waybill.published("audit").hasIds("p1");
    }

    private static void forwardToNowhere(TestWaybill waybill) {
        waybill.bus().createQueue("audit", queue -> queue);
        waybill.bus().createQueue(Wallets.QUEUE, queue -> queue.forwardTo("audit"));
        waybill.bus().delete("audit");
        Wallets.pay(waybill, "p1", "anna", "-250");
        waybill.publish();
    }

    @Test
    void scheduled_on_the_broker_a_reminder_comes_although_its_invoice_is_paid(TestWaybill waybill) {
        waybill.bus().createQueue(Wallets.QUEUE, queue -> queue);
        // The number by which it could be cancelled is lost with the process.
        try (var sender = new ServiceBusClientBuilder()
                .connectionString(waybill.connectionString())
                .sender()
                .queueName(Wallets.QUEUE)
                .buildClient()) {
            sender.scheduleMessage(
                    new ServiceBusMessage("reminder"),
                    OffsetDateTime.now(ZoneOffset.UTC).plusDays(1));
        }
        Wallets.pay(waybill, "p1", "anna", "-250");

        waybill.time().pass(Duration.ofDays(2));

        assertThat(waybill.bus().inspect(Wallets.QUEUE).active()).isOne();
    }

    @Test
    void scheduled_in_the_outbox_it_is_taken_back_by_the_payments_transaction(TestWaybill waybill) {
        waybill.bus().createQueue(Wallets.QUEUE, queue -> queue);
        waybill.outbox()
                .inTransaction(tx -> waybill.outbox()
                        .append(
                                tx,
                                OutboxMessage.to(Wallets.QUEUE)
                                        .id("reminder")
                                        .text("reminder")
                                        .notBefore(Instant.now().plus(Duration.ofDays(1)))
                                        .build()));
        waybill.outbox().inTransaction(tx -> {
            Wallets.request(tx, "p1");
            assertThat(waybill.outbox().cancel(tx, Wallets.QUEUE, "reminder")).isTrue();
        });

        waybill.time().pass(Duration.ofDays(2));
        waybill.publish();

        waybill.published(Wallets.QUEUE).isEmpty();
    }

    @Test
    void with_one_role_for_all_a_careless_clean_up_of_the_service_loses_a_payment(
            TestWaybill waybill, DataSource dataSource) {
        waybill.bus().createQueue(Wallets.QUEUE, queue -> queue);
        Wallets.pay(waybill, "p1", "anna", "-250");

        cleanUp(Wallets.dsl(dataSource), waybill);
        waybill.publish();

        waybill.published(Wallets.QUEUE).isEmpty();
    }

    @Test
    void with_a_role_of_its_own_the_service_cannot_touch_what_it_has_appended(
            TestWaybill waybill, DataSource dataSource) {
        waybill.bus().createQueue(Wallets.QUEUE, queue -> queue);
        Wallets.pay(waybill, "p1", "anna", "-250");
        DSLContext owner = Wallets.dsl(dataSource);
        owner.execute("create role tour_service");
        try {
            owner.execute(Role.APP.grants(waybill.schema(), "tour_service", Feature.OUTBOX));
            assertThatThrownBy(() -> owner.transaction(service -> {
                        service.dsl().execute("set local role tour_service");
                        cleanUp(service.dsl(), waybill);
                    }))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("permission denied");
        } finally {
            owner.execute("drop owned by tour_service");
            owner.execute("drop role tour_service");
        }

        waybill.publish();

        waybill.published(Wallets.QUEUE).hasIds("p1");
    }

    private static void cleanUp(DSLContext dsl, TestWaybill waybill) {
        dsl.execute("delete from " + waybill.schema().table("outbox_message"));
    }

    private static void publishOne(TestWaybill waybill, UnaryOperator<QueueOptions> queue) {
        waybill.bus().createQueue(Wallets.QUEUE, queue);
        Wallets.pay(waybill, "p1", "anna", "-250");
        waybill.publish();
    }
}
