package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A refusal without a known reason: of one message, that message is held; of all, the destination is away. */
class UnexplainedRefusalTest extends FailureCase {
    private static final Duration LONG = Duration.ofSeconds(60);

    private enum Form {
        REJECTED,
        DETACHED,
        WITH_ITS_CONNECTION;

        FaultAction action() {
            return switch (this) {
                case REJECTED -> FaultAction.reject(BrokerError.INTERNAL_ERROR);
                case DETACHED -> FaultAction.detach(BrokerError.INTERNAL_ERROR);
                case WITH_ITS_CONNECTION -> FaultAction.closeConnection(BrokerError.INTERNAL_ERROR);
            };
        }
    }

    private FaultHandle refuse(String id, FaultAction how) {
        return bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .message(id)
                .then(how);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource
    void each_form_of_a_refusal_without_a_reason_is_isolated_and_held(Form form) throws InterruptedException {
        isolated(form);
    }

    @Test
    void a_message_that_the_broker_refuses_without_a_reason_is_isolated_and_held_and_the_rest_flows()
            throws InterruptedException {
        isolated(Form.DETACHED);
    }

    private void isolated(Form form) throws InterruptedException {
        FaultHandle poison = refuse("poison", form.action());
        for (int i = 0; i < 60; i++) {
            append("orders", "s" + i % 12, "before" + i);
        }
        append("orders", "s3", "poison");
        append("orders", "s3", "behind");
        startRelay();

        // While the message is retried, its neighbours flow, also those of its lane.
        int sent = 0;
        while (heldIds().isEmpty()) {
            append("orders", "s" + (sent % 50 == 3 ? 99 : sent % 50), "later" + sent++);
            awaitStored("orders", 60 + sent);
            assertThat(sent)
                    .as("messages that were accepted before the poison was held")
                    .isLessThan(20_000);
        }

        assertThat(heldIds()).containsExactly("poison", "behind");
        assertThat(poison.hits()).isBetween(5, 40);
        assertThat(holds.list())
                .singleElement()
                .satisfies(hold -> assertThat(hold.cause().description()).contains("without a known reason", "times"));
        assertThat(destinations.refused()).isEmpty();

        poison.cancel();
        holds.release(holds.list().get(0).key(), BY_ANNA);
        awaitStored("orders", 62 + sent);
        assertThat(arrived("orders").get("s3")).endsWith("poison", "behind");
    }

    @Test
    void an_internal_error_of_all_messages_is_an_outage_and_holds_none_whatever_its_length() throws Exception {
        FaultHandle all = bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .then(FaultAction.reject(BrokerError.INTERNAL_ERROR));
        var expected = load(200);
        startRelay();
        assertThat(all.awaitHits(8, LONG)).isTrue();
        await().untilAsserted(() -> assertThat(
                        dsl.fetch("select alarm from " + schema.table("relay_alarm") + " where destination = 'orders'")
                                .getValues(0, String.class))
                .contains("unavailable"));

        all.cancel();

        awaitStored("orders", 200);
        assertThat(heldIds()).isEmpty();
        assertThat(arrived("orders")).isEqualTo(expected);
    }

    @Tag("long")
    @Test
    void a_broker_that_fails_every_second_send_holds_no_message_and_keeps_their_order() throws InterruptedException {
        FaultHandle half = bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .probability(0.5)
                .then(FaultAction.reject(BrokerError.INTERNAL_ERROR));
        var expected = load(300);
        startRelay();

        assertThat(half.awaitHits(10, LONG)).isTrue();
        await().atMost(80, TimeUnit.SECONDS)
                .failFast("a message is held", () -> !heldIds().isEmpty())
                .untilAsserted(
                        () -> assertThat(bus.journal("orders").storedCount()).isEqualTo(300));
        assertThat(arrived("orders")).isEqualTo(expected);
    }

    @Test
    void a_lone_message_that_is_refused_without_a_reason_waits_until_another_one_proves_the_destination()
            throws InterruptedException {
        FaultHandle poison = refuse("poison", FaultAction.reject(BrokerError.INTERNAL_ERROR));
        append("orders", "s", "poison");
        startRelay();

        assertThat(poison.awaitHits(3, LONG)).isTrue();
        assertThat(heldIds()).isEmpty();
        append("orders", "other", "proof");

        awaitStored("orders", 1);
        assertThat(List.of("other")).containsExactlyElementsOf(arrived("orders").keySet());
    }
}
