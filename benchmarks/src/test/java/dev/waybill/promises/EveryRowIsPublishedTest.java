package dev.waybill.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Destinations;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** G2: every committed message reaches the broker, or waits where an operator sees it. */
@Timeout(60)
class EveryRowIsPublishedTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = Shop.waybill();

    @Test
    void a_message_that_commits_after_later_ones_were_published_is_published(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        try (Connection slow = dataSource.getConnection()) {
            slow.setAutoCommit(false);
            waybill.outbox().append(slow, Shop.order("slow", "anna"));
            Shop.place(waybill, "quick", "bert");
            waybill.publish();
            waybill.published("orders").hasIds("quick");

            slow.commit();
        }
        waybill.publish();

        waybill.published("orders").hasIds("quick", "slow");
    }

    @Test
    void a_message_waits_while_the_broker_is_away_and_is_published_afterwards(TestWaybill waybill) {
        var busy = waybill.bus().faults().at(FaultPoint.BEFORE_STORE).then(FaultAction.reject(BrokerError.SERVER_BUSY));
        waybill.startRelay("orders");
        Shop.place(waybill, "o1", "anna");
        await().until(() -> busy.hits() > 0);
        waybill.published("orders").isEmpty();

        busy.cancel();

        await().untilAsserted(() -> waybill.published("orders").hasIds("o1"));
    }

    @Test
    void a_message_of_a_relay_that_stopped_is_published_by_the_next_one(TestWaybill waybill) {
        var relay = waybill.startRelay("orders");
        Shop.place(waybill, "o1", "anna");
        await().untilAsserted(() -> waybill.published("orders").hasIds("o1"));
        relay.close();
        Shop.place(waybill, "o2", "anna");

        waybill.startRelay("orders");

        await().untilAsserted(() -> waybill.published("orders").hasIds("o1", "o2"));
    }

    @Test
    void a_message_that_the_broker_refuses_is_held_and_seen(TestWaybill waybill) {
        waybill.bus()
                .faults()
                .at(FaultPoint.BEFORE_STORE)
                .message("poison")
                .then(FaultAction.reject(BrokerError.ARGUMENT_ERROR));
        Shop.place(waybill, "poison", "anna");
        Shop.place(waybill, "fine", "bert");

        waybill.publish();

        waybill.held().hasIds("poison");
        waybill.published("orders").hasIds("fine");
    }

    @Test
    void a_message_to_a_paused_destination_waits_until_it_is_resumed(TestWaybill waybill, DataSource dataSource) {
        var destinations = Destinations.of(dataSource, waybill.schema());
        destinations.pause("orders", Shop.OPERATOR);
        Shop.place(waybill, "o1", "anna");
        waybill.publish();
        waybill.published("orders").isEmpty();

        destinations.resume("orders", Shop.OPERATOR);
        waybill.publish();

        waybill.published("orders").hasIds("o1");
    }

    @Test
    void a_message_for_later_is_published_when_its_time_has_come(TestWaybill waybill) {
        waybill.outbox()
                .inTransaction(tx -> waybill.outbox()
                        .append(
                                tx,
                                OutboxMessage.to("orders")
                                        .id("later")
                                        .session("anna")
                                        .text("")
                                        .notBefore(Instant.now().plus(Duration.ofHours(1)))
                                        .build()));
        waybill.publish();
        waybill.published("orders").isEmpty();

        waybill.time().makeDue("later");
        waybill.publish();

        waybill.published("orders").hasIds("later");
    }

    @Test
    void values_of_transactions_that_rolled_back_hide_nothing(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        for (int i = 0; i < 3; i++) {
            try (Connection undone = dataSource.getConnection()) {
                undone.setAutoCommit(false);
                waybill.outbox().append(undone, Shop.order("undone-" + i, "anna"));
                undone.rollback();
            }
            Shop.place(waybill, "o" + i, "anna");
        }

        waybill.publish();

        waybill.published("orders").hasIds("o0", "o1", "o2");
        assertThat(rows(dataSource, waybill)).isZero();
    }

    private static int rows(DataSource dataSource, TestWaybill waybill) {
        return DSL.using(dataSource, SQLDialect.POSTGRES)
                .fetchCount(DSL.table(waybill.schema().table("outbox_message")));
    }
}
