package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ForwardingTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        EmbeddedServiceBusBuilder builder = EmbeddedServiceBus.builder()
                .queue("in", q -> q.forwardTo("out"))
                .queue("out")
                .queue("lost", q -> q.forwardTo("nowhere"))
                .queue("strict", q -> q.forwardTo("sessions"))
                .queue("sessions", q -> q.requiresSession())
                .queue("work", q -> q.forwardDeadLettersTo("morgue").maxDeliveryCount(1))
                .queue("morgue", q -> q.timeToLive(Duration.ofHours(2)))
                .queue("brief", q -> q.deadLetterOnExpiration().forwardDeadLettersTo("morgue"))
                .queue("brief-to-topic", q -> q.deadLetterOnExpiration().forwardDeadLettersTo("graves"))
                .topic("graves", t -> t.subscription("all"))
                .queue("to-topic", q -> q.forwardTo("events"))
                .topic("events", t -> t.subscription("s", s -> s.forwardTo("out")))
                .topic("to-out", t -> t.subscription("s", s -> s.forwardTo("out")));
        for (int i = 0; i < 6; i++) {
            int next = i + 1;
            builder.queue("hop" + i, q -> q.forwardTo("hop" + next));
        }
        return builder.queue("hop6");
    }

    @Test
    void a_message_is_passed_on_and_remembers_its_first_number() {
        clients.sender("out").sendMessage(Clients.message("before"));
        clients.sender("in").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("out");
        ServiceBusReceivedMessage forwarded = Clients.receive(receiver, 2).get(1);
        assertThat(forwarded.getMessageId()).isEqualTo("m1");
        assertThat(forwarded.getSequenceNumber()).isEqualTo(2);
        assertThat(forwarded.getEnqueuedSequenceNumber()).isEqualTo(1);
        assertThat(bus.inspect("in").active()).isZero();
    }

    @Test
    void a_subscription_forwards_what_its_rules_select() {
        clients.sender("to-topic").sendMessage(Clients.message("m1"));
        assertThat(Clients.receiveOne(clients.receiver("out")).getMessageId()).isEqualTo("m1");
    }

    @Test
    void a_message_for_an_entity_that_is_not_there_becomes_a_transfer_dead_letter() {
        clients.sender("lost").sendMessage(Clients.message("m1"));
        assertThat(bus.inspect("lost").transferDeadLetters()).isEqualTo(1);
        assertThat(Clients.receiveOne(clients.transferDeadLetters("lost")).getMessageId())
                .isEqualTo("m1");
    }

    @Test
    void a_message_that_its_target_refuses_becomes_a_transfer_dead_letter() {
        clients.sender("strict").sendMessage(Clients.message("m1"));
        assertThat(bus.inspect("strict").transferDeadLetters()).isEqualTo(1);
        assertThat(bus.inspect("sessions").active()).isZero();
    }

    @Test
    void a_chain_of_four_hops_holds_and_a_fifth_does_not() {
        clients.sender("hop2").sendMessage(Clients.message("four"));
        assertThat(bus.inspect("hop6").active()).isEqualTo(1);
        clients.sender("hop1").sendMessage(Clients.message("five"));
        assertThat(bus.inspect("hop6").active()).isEqualTo(1);
        ServiceBusReceivedMessage dead = Clients.receiveOne(clients.deadLetters("hop5"));
        assertThat(dead.getMessageId()).isEqualTo("five");
        assertThat(dead.getDeadLetterReason()).isEqualTo("MaxTransferHopCountExceeded");
    }

    @Test
    void dead_letters_are_passed_on_with_their_source_and_reason() {
        clients.sender("work").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("work");
        receiver.abandon(Clients.receiveOne(receiver));
        ServiceBusReceivedMessage dead = Clients.receiveOne(clients.receiver("morgue"));
        assertThat(dead.getDeadLetterSource()).isEqualTo(bus.name("work"));
        assertThat(dead.getDeadLetterReason()).isEqualTo("MaxDeliveryCountExceeded");
        assertThat(bus.inspect("work").deadLetters()).isZero();
    }

    @Test
    void a_dead_letter_that_expired_reaches_the_entity_it_is_forwarded_to() {
        clients.sender("brief").sendMessage(Clients.message("m1").setTimeToLive(Duration.ofSeconds(1)));
        bus.advance(Duration.ofSeconds(2));

        ServiceBusReceivedMessage dead = Clients.receiveOne(clients.receiver("morgue"));
        assertThat(dead.getMessageId()).isEqualTo("m1");
        assertThat(dead.getDeadLetterReason()).isEqualTo("TTLExpiredException");
        assertThat(dead.getDeadLetterSource()).isEqualTo(bus.name("brief"));
    }

    @Test
    void a_forwarded_dead_letter_lives_as_long_as_its_new_entity_lets_it() {
        clients.sender("brief").sendMessage(Clients.message("m1").setTimeToLive(Duration.ofSeconds(1)));
        bus.advance(Duration.ofSeconds(2));
        bus.advance(Duration.ofHours(1));
        assertThat(bus.inspect("morgue").active()).isEqualTo(1);

        bus.advance(Duration.ofHours(1));
        assertThat(bus.inspect("morgue").active()).isZero();
    }

    @Test
    void a_dead_letter_that_expired_reaches_the_subscriptions_of_a_topic() {
        clients.sender("brief-to-topic").sendMessage(Clients.message("m1").setTimeToLive(Duration.ofSeconds(1)));
        bus.advance(Duration.ofSeconds(2));
        bus.advance(Duration.ofSeconds(2));

        assertThat(Clients.receiveOne(clients.subscription("graves", "all")).getMessageId())
                .isEqualTo("m1");
    }

    @Test
    void nobody_receives_where_messages_are_passed_on() {
        refused(clients.receiver("in"));
        refused(clients.deadLetters("work"));
        refused(clients.subscription("to-out", "s"));
        assertThat(Clients.receiveNothing(clients.deadLetters("in"))).isEmpty();
        assertThat(Clients.receiveNothing(clients.receiver("work"))).isEmpty();
    }

    private static void refused(ServiceBusReceiverClient receiver) {
        assertThatThrownBy(() -> Clients.receive(receiver, 1))
                .hasStackTraceContaining("Cannot create a message receiver on an entity with auto-forwarding enabled.")
                .hasRootCauseInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void settings_that_forward_to_where_they_cannot_are_refused_in_the_running_broker() {
        assertThatThrownBy(() -> bus.createQueue("itself", q -> q.forwardTo("ITSELF")))
                .hasMessageContaining("itself");
        assertThatThrownBy(() ->
                        bus.createQueue("strict2", q -> q.requiresSession().forwardTo("out")))
                .hasMessageContaining("sessions");
        assertThatThrownBy(() -> bus.createTopic("t", t -> t.subscription("s", s -> s.forwardTo("missing"))))
                .hasMessageContaining("missing");
        assertThatThrownBy(() -> bus.update("out", q -> q.forwardDeadLettersTo("missing")))
                .hasMessageContaining("missing");
        bus.createTopic("t", t -> t.subscription("s", s -> s.forwardTo("out")));
    }
}
