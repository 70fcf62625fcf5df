package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A destination that takes nothing: its operator is told, no message is blamed, and nothing is held. */
class RefusingDestinationsTest extends FailureCase {
    @ParameterizedTest
    @EnumSource(
            value = BrokerError.class,
            names = {"NOT_FOUND", "UNAUTHORIZED", "ENTITY_DISABLED", "RESOURCE_LIMIT_EXCEEDED"})
    @Tag("long")
    void a_destination_that_refuses_everything_is_told_to_the_operator_and_nothing_is_held(BrokerError error) {
        var refusal = bus.faults().at(FaultPoint.BEFORE_STORE).entity("orders").then(FaultAction.reject(error));
        startRelay();
        append("orders", "s", "m1");
        append("orders", "s", "m2");

        await().atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(destinations.refused()).containsOnlyKeys("orders"));
        append("small", "s", "free");
        awaitStored("small", 1);
        refusal.cancel();
        awaitStored("orders", 2);

        assertThat(arrived("orders")).containsEntry("s", List.of("m1", "m2"));
        await().untilAsserted(() -> assertThat(destinations.refused()).isEmpty());
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_destination_that_is_deleted_and_made_again_gets_what_has_waited() {
        startRelay();
        append("orders", "s", "m1");
        awaitStored("orders", 1);
        bus.delete("orders");
        append("orders", "s", "m2");
        append("orders", "s", "m3");
        await().atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(destinations.refused()).containsOnlyKeys("orders"));

        bus.createQueue("orders", queue -> queue.requiresSession());

        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(bus.inspect("orders").active()).isEqualTo(2));
        assertThat(holds.list()).isEmpty();
    }

    @Test
    void a_refused_attach_blames_the_destination_and_no_message() {
        var refusal =
                bus.faults().at(FaultPoint.ATTACH).entity("orders").then(FaultAction.reject(BrokerError.NOT_ALLOWED));
        startRelay();
        append("orders", "s", "m1");

        await().atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(destinations.refused()).containsOnlyKeys("orders"));
        assertThat(holds.list()).isEmpty();
        refusal.cancel();

        awaitStored("orders", 1);
    }

    @Test
    void a_token_that_is_refused_is_told_and_the_next_one_is_taken() {
        bus.faults().at(FaultPoint.CBS).times(2).then(FaultAction.reject(BrokerError.UNAUTHORIZED));
        startRelay();
        append("orders", "s", "m1");

        awaitStored("orders", 1);

        assertThat(holds.list()).isEmpty();
    }
}
