package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import com.azure.messaging.servicebus.models.DeferOptions;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages that grow, sessions that are forgotten, and entities that leave too early. */
@EmbeddedOnly("looks into the broker")
class GrowthAndIdlenessTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders", q -> q.maxSizeBytes(1_000_000))
                .queue("passing", q -> q.forwardTo("orders").autoDeleteOnIdle(Duration.ofMinutes(5)))
                .queue("wallet", q -> q.requiresSession())
                .topic(
                        "events",
                        t -> t.intake(q -> q.autoDeleteOnIdle(Duration.ofMinutes(5)))
                                .subscription("all"));
    }

    @Test
    void a_message_that_is_deferred_with_more_and_more_properties_does_not_grow_without_end() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        var receiver = clients.receiver("orders");
        ServiceBusReceivedMessage[] message = {Clients.receiveOne(receiver)};
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 20; i++) {
                        var more = new DeferOptions().setPropertiesToModify(Map.of("p" + i, "x".repeat(40_000)));
                        receiver.defer(message[0], more);
                        message[0] = receiver.receiveDeferredMessage(message[0].getSequenceNumber());
                    }
                })
                .satisfies(e ->
                        assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.LINK_PAYLOAD_SIZE_EXCEEDED));
        assertThat(bus.inspect("orders").bytes()).isBetween(200_000L, 300_000L);
        receiver.complete(message[0]);
        assertThat(bus.inspect("orders").bytes()).isZero();
    }

    @Test
    void a_topic_whose_subscription_has_a_receiver_is_not_idle() {
        Clients.receiveNothing(clients.subscription("events", "all"));
        assertThat(bus.inspect("events/Subscriptions/all").receivers()).isEqualTo(1);
        bus.advance(Duration.ofMinutes(6));
        clients.topicSender("events").sendMessage(Clients.message("m1"));
    }

    @Test
    void a_topic_whose_subscription_is_peeked_or_gets_a_rule_is_not_idle() {
        bus.advance(Duration.ofMinutes(4));
        clients.subscription("events", "all").peekMessage();
        bus.advance(Duration.ofMinutes(4));
        clients.rules("events", "all").createRule("more", new CreateRuleOptions(new TrueRuleFilter()));
        bus.advance(Duration.ofMinutes(4));
        clients.topicSender("events").sendMessage(Clients.message("m1"));
    }

    @Test
    void a_queue_that_forwards_is_not_idle() {
        bus.advance(Duration.ofMinutes(6));
        clients.sender("passing").sendMessage(Clients.message("m1"));
        assertThat(bus.inspect("orders").active()).isEqualTo(1);
    }

    @Test
    void a_session_of_nothing_but_oversized_messages_is_forgotten() {
        var message = Clients.message("m1", "s1");
        for (int i = 0; i < 4; i++) {
            message.getApplicationProperties().put("large" + i, "x".repeat(20_000));
        }
        clients.sender("wallet").sendMessage(message);
        assertThat(bus.inspect("wallet").deadLetters()).isEqualTo(1);
        assertThat(bus.inspect("wallet").sessions()).isEmpty();
    }

    @Test
    void deferred_messages_that_the_link_for_answers_does_not_take_together_are_refused_and_stay() {
        List<Long> numbers = new ArrayList<>();
        var receiver = clients.receiver("orders");
        for (int i = 0; i < 3; i++) {
            clients.sender("orders").sendMessage(new ServiceBusMessage(new byte[100_000]));
            ServiceBusReceivedMessage message = Clients.receiveOne(receiver);
            receiver.defer(message);
            numbers.add(message.getSequenceNumber());
        }
        RawClient raw = clients.track(RawClient.connect(bus.port())).answering(250_000);
        raw.open();
        assertThat(receive(raw, numbers)).isEqualTo(403);
        assertThat(bus.inspect("orders").deferred()).isEqualTo(3);
        assertThat(receive(raw, numbers.subList(0, 2))).isEqualTo(200);
    }

    private static @Nullable Object receive(RawClient raw, List<Long> numbers) {
        Map<String, Object> body = Map.of("sequence-numbers", numbers, "receiver-settle-mode", UnsignedInteger.ONE);
        return raw.request("orders/$management", "receive-by-sequence-number", body)
                .getApplicationProperties()
                .getValue()
                .get("statusCode");
    }
}
