package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that open transactions and do not end them. */
@EmbeddedOnly("speaks AMQP without the client library, and moves time ahead")
class OpenTransactionsTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().tier(Tier.PREMIUM).queue("orders").queue("full", q -> q.maxSizeBytes(100));
    }

    private RawCoordinator coordinator(String name) {
        RawClient raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
        return RawCoordinator.attached(raw, name);
    }

    @Test
    @Tag("long")
    void a_client_that_opens_ten_thousand_is_refused_after_some_and_goes_on_once_it_ends_one() {
        RawCoordinator coordinator = coordinator("c");
        List<Binary> open = new ArrayList<>();
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            DeliveryState answer = coordinator.tryToDeclare();
            if (answer instanceof Rejected rejected) {
                refused++;
                assertThat(rejected.getError().getCondition().toString()).isEqualTo("amqp:resource-limit-exceeded");
            } else {
                open.add(RawCoordinator.id(answer));
            }
        }
        assertThat(open).hasSize(500);
        assertThat(refused).isEqualTo(9_500);

        coordinator.discharge(open.get(0), true);
        assertThat(coordinator.declare()).isNotNull();
        assertThat(coordinator.discharge(open.get(1), false)).isInstanceOf(Accepted.class);
    }

    @Test
    void many_connections_together_are_bounded_too_and_free_what_they_had_when_they_go() {
        List<RawClient> raws = new ArrayList<>();
        for (int connection = 0; connection < 10; connection++) {
            RawClient raw = clients.track(RawClient.connect(bus.port()));
            raw.open();
            raws.add(raw);
            RawCoordinator coordinator = RawCoordinator.attached(raw, "c");
            for (int i = 0; i < 500; i++) {
                coordinator.declare();
            }
        }
        RawCoordinator late = coordinator("late");
        assertThatThrownBy(late::declare).hasMessageContaining("at most 5000 open transactions");

        raws.get(0).cut();
        await().until(() -> !(late.tryToDeclare() instanceof Rejected));
    }

    @Test
    void those_whose_time_is_over_make_room() {
        RawCoordinator coordinator = coordinator("c");
        for (int i = 0; i < 500; i++) {
            coordinator.declare();
        }
        bus.advance(Duration.ofMinutes(3));
        assertThat(coordinator.declare()).isNotNull();
    }

    @Test
    @Tag("long")
    void the_memory_of_what_they_send_is_bounded_and_free_after_the_rollback() {
        RawCoordinator coordinator = coordinator("c");
        byte[] large = RawClient.largeMessage(64 * 1024 * 1024);
        List<Binary> open = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            open.add(coordinator.declare());
            assertThat(coordinator.sendBytes(open.get(i), "orders", large)).isNotInstanceOf(Rejected.class);
        }
        Binary tooMuch = coordinator.declare();
        assertThat(coordinator.sendBytes(tooMuch, "orders", large))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected ->
                                assertThat(rejected.getError().getDescription()).contains("256 MiB"));
        coordinator.discharge(open.get(0), true);
        Binary again = coordinator.declare();
        assertThat(coordinator.sendBytes(again, "orders", large)).isNotInstanceOf(Rejected.class);
    }

    @Test
    void refusals_in_one_transaction_do_not_pile_up_and_the_first_is_told_at_the_commit() {
        RawCoordinator coordinator = coordinator("c");
        Binary doomed = coordinator.declare();
        for (int i = 0; i < 2_000; i++) {
            assertThat(coordinator.sendBytes(doomed, "full", RawClient.largeMessage(200)))
                    .isInstanceOf(Rejected.class);
        }
        assertThat(coordinator.discharge(doomed, false))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(
                                        String.valueOf(rejected.getError().getCondition()))
                                .isEqualTo("amqp:resource-limit-exceeded"));
    }
}
