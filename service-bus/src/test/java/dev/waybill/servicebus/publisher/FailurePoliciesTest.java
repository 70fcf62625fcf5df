package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The result of each error of the broker: nobody who is innocent is held, and nothing is lost or overtaken. */
class FailurePoliciesTest extends FailureCase {
    @Test
    @Tag("long")
    void a_connection_that_is_lost_while_its_link_opens_puts_the_blame_on_no_message() {
        loseConnectionsWhileLinksOpen("orders");
        for (int i = 0; i < 40; i++) {
            append("orders", "s" + i, "m" + i);
        }
        startRelay();

        awaitNoneHeldAndStored("orders", 40);
    }

    @Test
    void a_connection_that_is_lost_while_its_link_opens_makes_no_message_too_large() {
        loseConnectionsWhileLinksOpen("large");
        for (int i = 0; i < 10; i++) {
            String id = "m" + i;
            dsl.transaction(tx -> outbox.append(
                    tx.dsl(),
                    OutboxMessage.to("large").id(id).text("x".repeat(400_000)).build()));
        }
        startRelay();

        awaitNoneHeldAndStored("large", 10);
    }

    @Test
    void a_server_busy_storm_holds_nothing_and_reorders_nothing() {
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .probability(0.5)
                .times(12)
                .then(FaultAction.reject(BrokerError.SERVER_BUSY));
        var expected = load(200);
        startRelay();

        awaitStored("orders", 200);

        assertThat(arrived("orders")).isEqualTo(expected);
        assertThat(holds.list()).isEmpty();
        assertThat(destinations.refused()).isEmpty();
    }

    @Test
    @Tag("long")
    void every_fault_at_once_loses_nothing_reorders_nothing_and_holds_nothing() {
        FaultAction[] beforeStore = {
            FaultAction.reject(BrokerError.SERVER_BUSY),
            FaultAction.reject(BrokerError.INTERNAL_ERROR),
            FaultAction.reject(BrokerError.TIMEOUT),
            FaultAction.detach(BrokerError.DETACH_FORCED),
            FaultAction.dropConnection(),
            FaultAction.closeConnection(BrokerError.CONNECTION_FORCED),
            FaultAction.swallow(),
            FaultAction.delay(Duration.ofMillis(300))
        };
        for (FaultAction action : beforeStore) {
            bus.faults()
                    .at(FaultPoint.BEFORE_STORE)
                    .entity("orders")
                    .probability(0.05)
                    .times(3)
                    .then(action);
        }
        for (FaultAction action : List.of(
                FaultAction.dropConnection(),
                FaultAction.swallow(),
                FaultAction.detach(BrokerError.DETACH_FORCED),
                FaultAction.reject(BrokerError.INTERNAL_ERROR))) {
            bus.faults()
                    .at(FaultPoint.STORED_BEFORE_ACK)
                    .entity("orders")
                    .probability(0.05)
                    .times(3)
                    .then(action);
        }
        bus.faults().at(FaultPoint.ATTACH).entity("orders").after(1).times(1).then(FaultAction.withholdCredit());
        var expected = load(400);
        startRelay();

        awaitStored("orders", 400);

        assertThat(arrived("orders")).isEqualTo(expected);
        assertThat(holds.list()).isEmpty();
    }

    @Test
    @Tag("long")
    void a_link_that_was_detached_and_never_gets_credit_again_is_replaced_within_the_deadline() {
        startRelay();
        append("orders", "s", "m1");
        awaitStored("orders", 1);
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .times(1)
                .then(FaultAction.detach(BrokerError.DETACH_FORCED));
        var stuck = bus.faults().at(FaultPoint.ATTACH).entity("orders").times(1).then(FaultAction.withholdCredit());
        append("orders", "s", "m2");
        append("orders", "s", "m3");

        awaitStored("orders", 3);

        assertThat(stuck.hits()).isEqualTo(1);
        assertThat(arrived("orders")).containsEntry("s", List.of("m1", "m2", "m3"));
    }

    @Test
    void a_half_open_connection_is_replaced_within_the_deadline() {
        startRelay();
        append("orders", "s", "m1");
        awaitStored("orders", 1);
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .times(1)
                .then(FaultAction.stallReads(Duration.ofSeconds(30)));
        append("orders", "s", "m2");
        append("orders", "s", "m3");
        append("orders", "s", "m4");

        awaitStored("orders", 4);

        assertThat(arrived("orders")).containsEntry("s", List.of("m1", "m2", "m3", "m4"));
    }
}
