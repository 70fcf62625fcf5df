package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions and the link that controls them, which may end before they do. */
@EmbeddedOnly("closes control links, as the client library does only together with their connection")
class CoordinatorTest extends BusTest {
    private RawClient raw;

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().queue("orders");
    }

    @BeforeEach
    void connect() {
        raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
    }

    private static void isUnknown(DeliveryState answer) {
        assertThat(answer).isInstanceOf(Rejected.class);
        assertThat(((Rejected) answer).getError().getCondition().toString()).isEqualTo("amqp:transaction:unknown-id");
    }

    @Test
    void a_transaction_whose_control_link_was_closed_is_rolled_back_and_takes_no_more_work() {
        RawCoordinator first = RawCoordinator.attached(raw, "first");
        Binary transaction = first.declare();
        first.send(transaction, "orders", "m1");
        first.close();

        RawCoordinator second = RawCoordinator.attached(raw, "second");
        isUnknown(second.send(transaction, "orders", "m2"));
        isUnknown(second.discharge(transaction, false));
        assertThat(bus.journal("orders").stored()).isEmpty();
    }

    @Test
    void closing_one_control_link_leaves_the_transactions_of_another() {
        RawCoordinator first = RawCoordinator.attached(raw, "first");
        RawCoordinator second = RawCoordinator.attached(raw, "second");
        first.declare();
        Binary kept = second.declare();
        second.send(kept, "orders", "m1");
        first.close();

        assertThat(second.discharge(kept, false)).isInstanceOf(Accepted.class);
        assertThat(bus.journal("orders").storedCount()).isEqualTo(1);
    }
}
