package dev.waybill.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** G4: a message that is sent again carries the MessageId of its first time. */
@Timeout(60)
class RepeatsCarryTheSameIdTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(bus -> bus.queue(
                            "orders", QueueOptions::requiresSession)
                    .queue("once", queue -> queue.requiresSession().duplicateDetection(Duration.ofMinutes(10))))
            .tables("create table placed (id text primary key deferrable initially deferred)");

    @Test
    void a_send_whose_acknowledgement_is_lost_is_repeated_under_its_id(TestWaybill waybill) {
        waybill.bus().faults().at(FaultPoint.STORED_BEFORE_ACK).times(1).then(FaultAction.dropConnection());
        waybill.startRelay("orders");

        Shop.place(waybill, "o1", "anna");

        await().untilAsserted(() -> assertThat(messageIds(waybill, "orders")).containsExactly("o1", "o1"));
    }

    @Test
    void the_broker_drops_the_repeat_where_it_detects_duplicates(TestWaybill waybill) {
        var lost =
                waybill.bus().faults().at(FaultPoint.STORED_BEFORE_ACK).times(1).then(FaultAction.dropConnection());
        waybill.startRelay("once");

        waybill.outbox().inTransaction(tx -> waybill.outbox().append(tx, once("o1")));
        await().until(() -> lost.hits() == 1);
        waybill.outbox().inTransaction(tx -> waybill.outbox().append(tx, once("o2")));

        await().untilAsserted(() -> waybill.published("once").contain("o2"));
        assertThat(messageIds(waybill, "once")).containsExactly("o1", "o2");
    }

    @Test
    void the_same_fact_appended_twice_has_the_same_id(TestWaybill waybill) {
        for (int i = 0; i < 2; i++) {
            waybill.outbox().inTransaction(tx -> waybill.outbox().append(tx, Shop.order("order-7-placed", "anna")));
        }

        waybill.publish();

        assertThat(messageIds(waybill, "orders")).containsExactly("order-7-placed", "order-7-placed");
    }

    @Test
    void a_message_of_a_relay_that_stopped_in_between_keeps_its_id(TestWaybill waybill) {
        var stored = waybill.bus().faults().at(FaultPoint.STORED_BEFORE_ACK).then(FaultAction.swallow());
        var first = waybill.startRelay("orders");
        Shop.place(waybill, "o1", "anna");
        await().until(() -> stored.hits() == 1);
        waybill.bus().faults().clear();
        waybill.bus().dropConnections();
        first.close();

        waybill.publish();

        assertThat(messageIds(waybill, "orders")).isNotEmpty().containsOnly("o1");
    }

    private static OutboxMessage once(String id) {
        return OutboxMessage.to("once").id(id).session("anna").text("").build();
    }

    private static List<String> messageIds(TestWaybill waybill, String entity) {
        return waybill.bus().journal(entity).stored().stream()
                .map(stored -> String.valueOf(stored.messageId()))
                .toList();
    }
}
