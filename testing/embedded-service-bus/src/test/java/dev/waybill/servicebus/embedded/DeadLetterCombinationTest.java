package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dead letters that come from several sides at once: from rules, from receivers, from expiry, and onward. */
class DeadLetterCombinationTest extends BusTest {
    private static final String FAILS_ON_ZERO = "100 / amount > 0";

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("morgue")
                .queue("ping", q -> q.forwardTo("pong"))
                .queue("pong", q -> q.forwardTo("ping"))
                .queue(
                        "cradle",
                        q -> q.deadLetterOnExpiration()
                                .timeToLive(Duration.ofSeconds(1))
                                .forwardDeadLettersTo("grave"))
                .queue(
                        "grave",
                        q -> q.deadLetterOnExpiration()
                                .timeToLive(Duration.ofSeconds(1))
                                .forwardDeadLettersTo("cradle"))
                .queue("work", q -> q.forwardDeadLettersTo("graves"))
                .topic("graves", t -> t.subscription("odd", s -> s.sqlRule("r", "DeadLetterReason = 'too odd'")))
                .topic(
                        "events",
                        t -> t.subscription(
                                        "a-strict",
                                        s -> s.sqlRule("r", FAILS_ON_ZERO).deadLetterOnFilterError(true))
                                .subscription("b-curious", s -> s.sqlRule("r", "DeadLetterReason IS NOT NULL"))
                                .subscription("c-all"))
                .topic(
                        "onward",
                        t -> t.subscription(
                                "strict",
                                s -> s.sqlRule("r", FAILS_ON_ZERO)
                                        .deadLetterOnFilterError(true)
                                        .delivery(q -> q.forwardDeadLettersTo("morgue"))))
                .topic(
                        "sessions",
                        t -> t.subscription(
                                "s", s -> s.requiresSession().delivery(q -> q.forwardDeadLettersTo("morgue"))));
    }

    private static ServiceBusMessage amount(String id, Object amount) {
        ServiceBusMessage message = Clients.message(id);
        message.getApplicationProperties().put("amount", amount);
        return message;
    }

    @Test
    void a_dead_letter_of_a_rule_never_takes_the_place_of_one_of_a_receiver() {
        ServiceBusSenderClient sender = clients.topicSender("events");
        sender.sendMessage(amount("wrong", 0));
        sender.sendMessage(amount("right", 5));
        sender.sendMessage(amount("wrong too", 0));
        sender.sendMessage(amount("right too", 5));
        ServiceBusReceiverClient receiver = clients.subscription("events", "a-strict");
        Clients.receive(receiver, 2).forEach(receiver::deadLetter);

        assertThat(Clients.ids(Clients.receive(clients.subscriptionDeadLetters("events", "a-strict"), 4)))
                .containsExactlyInAnyOrder("wrong", "right", "wrong too", "right too");
    }

    @Test
    void a_rule_that_fails_in_one_subscription_changes_nothing_for_the_next() {
        clients.topicSender("events").sendMessage(amount("wrong", 0));
        assertThat(bus.inspect("events/Subscriptions/b-curious").active()).isZero();
        ServiceBusReceivedMessage copy = Clients.receiveOne(clients.subscription("events", "c-all"));
        assertThat(copy.getApplicationProperties()).containsOnlyKeys("amount");
    }

    @Test
    void dead_letters_of_rules_and_of_missing_sessions_are_forwarded_like_all_others() {
        clients.topicSender("onward").sendMessage(amount("wrong", 0));
        clients.topicSender("sessions").sendMessage(Clients.message("no session"));
        List<ServiceBusReceivedMessage> found = Clients.receive(clients.receiver("morgue"), 2);
        assertThat(found)
                .extracting(ServiceBusReceivedMessage::getDeadLetterReason)
                .containsExactlyInAnyOrder("FilterEvaluationException", "Session ID is null.");
        assertThat(bus.inspect("onward/Subscriptions/strict").deadLetters()).isZero();
    }

    @Test
    void a_dead_letter_that_is_forwarded_to_a_topic_keeps_its_reason_and_source_in_every_subscription() {
        clients.sender("work").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("work");
        receiver.deadLetter(Clients.receiveOne(receiver), new DeadLetterOptions().setDeadLetterReason("too odd"));
        ServiceBusReceivedMessage copy = Clients.receiveOne(clients.subscription("graves", "odd"));
        assertThat(copy.getDeadLetterReason()).isEqualTo("too odd");
        assertThat(copy.getDeadLetterSource()).isEqualTo("work");
    }

    @Test
    void entities_that_forward_to_each_other_end_with_a_dead_letter_after_four_hops() {
        clients.sender("ping").sendMessage(Clients.message("m1"));
        assertThat(bus.inspect("ping").deadLetters() + bus.inspect("pong").deadLetters())
                .isEqualTo(1);
        clients.sender("cradle").sendMessage(Clients.message("m1"));
        bus.advance(Duration.ofDays(1));
        assertThat(bus.inspect("cradle").deadLetters()).isEqualTo(1);
        assertThat(bus.inspect("grave").deadLetters() + bus.inspect("grave").active())
                .isZero();
    }
}
