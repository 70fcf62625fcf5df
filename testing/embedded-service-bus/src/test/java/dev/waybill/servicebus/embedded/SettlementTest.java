package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.AbandonOptions;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.DeferOptions;
import dev.waybill.servicebus.embedded.journal.Settled.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettlementTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders", q -> q.maxDeliveryCount(3).lockDuration(Duration.ofMinutes(1)));
    }

    private ServiceBusReceivedMessage sendAndReceive(ServiceBusReceiverClient receiver, String id) {
        clients.sender("orders").sendMessage(Clients.message(id));
        return Clients.receiveOne(receiver);
    }

    @Test
    void an_abandoned_message_comes_again_with_a_higher_delivery_count() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        receiver.abandon(sendAndReceive(receiver, "m1"));
        ServiceBusReceivedMessage again = Clients.receiveOne(receiver);
        assertThat(again.getMessageId()).isEqualTo("m1");
        assertThat(again.getDeliveryCount()).isEqualTo(1);
    }

    @Test
    void an_abandoned_message_comes_again_before_later_ones() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = sendAndReceive(receiver, "m1");
        clients.sender("orders").sendMessages(List.of(Clients.message("m2"), Clients.message("m3")));
        receiver.abandon(first);
        assertThat(Clients.ids(Clients.receive(receiver, 3))).containsExactly("m1", "m2", "m3");
    }

    @Test
    void abandoning_changes_properties() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = sendAndReceive(receiver, "m1");
        receiver.abandon(first, new AbandonOptions().setPropertiesToModify(Map.of("attempt", 7)));
        assertThat(Clients.receiveOne(receiver).getApplicationProperties()).containsEntry("attempt", 7);
    }

    @Test
    void a_message_that_fails_too_often_becomes_a_dead_letter() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        receiver.abandon(sendAndReceive(receiver, "m1"));
        receiver.abandon(Clients.receiveOne(receiver));
        receiver.abandon(Clients.receiveOne(receiver));
        ServiceBusReceivedMessage dead = Clients.receiveOne(clients.deadLetters("orders"));
        assertThat(dead.getMessageId()).isEqualTo("m1");
        assertThat(dead.getDeadLetterReason()).isEqualTo("MaxDeliveryCountExceeded");
        assertThat(bus.inspect("orders").deadLetters()).isEqualTo(1);
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_dead_letter_carries_reason_description_and_properties() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        receiver.deadLetter(
                sendAndReceive(receiver, "m1"),
                new DeadLetterOptions()
                        .setDeadLetterReason("BadSchema")
                        .setDeadLetterErrorDescription("line 3")
                        .setPropertiesToModify(Map.of("by", "test")));
        ServiceBusReceiverClient deadLetters = clients.deadLetters("orders");
        ServiceBusReceivedMessage dead = Clients.receiveOne(deadLetters);
        assertThat(dead.getDeadLetterReason()).isEqualTo("BadSchema");
        assertThat(dead.getDeadLetterErrorDescription()).isEqualTo("line 3");
        assertThat(dead.getApplicationProperties()).containsEntry("by", "test");
        assertThat(dead.getBody().toString()).isEqualTo("body of m1");
        deadLetters.complete(dead);
        assertThat(bus.inspect("orders").deadLetters()).isZero();
    }

    @Test
    void a_dead_letter_without_reason_is_moved_too() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        receiver.deadLetter(sendAndReceive(receiver, "m1"));
        assertThat(Clients.receiveOne(clients.deadLetters("orders")).getDeadLetterReason())
                .isNull();
    }

    @Test
    void a_deferred_message_comes_only_by_its_number() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = sendAndReceive(receiver, "m1");
        receiver.defer(first, new DeferOptions().setPropertiesToModify(Map.of("why", "later")));
        assertThat(Clients.receiveNothing(receiver)).isEmpty();
        assertThat(bus.inspect("orders").deferred()).isEqualTo(1);
        ServiceBusReceivedMessage deferred = receiver.receiveDeferredMessage(first.getSequenceNumber());
        assertThat(deferred.getMessageId()).isEqualTo("m1");
        assertThat(deferred.getApplicationProperties()).containsEntry("why", "later");
        receiver.complete(deferred);
        assertThat(bus.inspect("orders").deferred()).isZero();
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_deferred_message_abandoned_stays_deferred() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = sendAndReceive(receiver, "m1");
        receiver.defer(first);
        receiver.abandon(receiver.receiveDeferredMessage(first.getSequenceNumber()));
        assertThat(bus.inspect("orders").deferred()).isEqualTo(1);
        assertThat(receiver.receiveDeferredMessage(first.getSequenceNumber()).getDeliveryCount())
                .isEqualTo(1);
    }

    @Test
    void an_unknown_number_brings_nothing() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        assertThat(receiver.receiveDeferredMessageBatch(List.of(4711L)).stream())
                .isEmpty();
    }

    @Test
    void a_settlement_after_the_lock_has_expired_fails_and_the_message_comes_again() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = sendAndReceive(receiver, "m1");
        bus.advance(Duration.ofMinutes(1));
        assertThatThrownBy(() -> receiver.complete(first))
                .isInstanceOfSatisfying(
                        ServiceBusException.class,
                        e -> assertThat(e.getReason()).isEqualTo(ServiceBusFailureReason.MESSAGE_LOCK_LOST));
        assertThat(Clients.receiveOne(receiver).getDeliveryCount()).isEqualTo(1);
        assertThat(bus.journal("orders").settlements())
                .extracting(s -> s.outcome())
                .containsExactly(Outcome.LOCK_LOST);
    }

    @Test
    void a_renewed_lock_outlives_its_first_duration() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = sendAndReceive(receiver, "m1");
        bus.advance(Duration.ofSeconds(50));
        receiver.renewMessageLock(first);
        bus.advance(Duration.ofSeconds(50));
        receiver.complete(first);
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void expired_locks_give_messages_back_at_once() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        sendAndReceive(receiver, "m1");
        assertThat(bus.inspect("orders").locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.messageId()).isEqualTo("m1"));
        bus.expireLocks("orders");
        assertThat(Clients.receiveOne(receiver).getMessageId()).isEqualTo("m1");
    }

    @Test
    void a_receiver_that_deletes_leaves_nothing_behind() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(Clients.receiveOne(clients.deletingReceiver("orders")).getMessageId())
                .isEqualTo("m1");
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void locks_outlive_the_receiver_that_took_them() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        sendAndReceive(receiver, "m1");
        receiver.close();
        assertThat(bus.inspect("orders").locked()).isEqualTo(1);
        bus.advance(Duration.ofMinutes(1));
        assertThat(bus.inspect("orders").locked()).isZero();
        assertThat(bus.inspect("orders").active()).isEqualTo(1);
    }

    @Test
    void completing_twice_fails() {
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = sendAndReceive(receiver, "m1");
        receiver.complete(first);
        assertThatThrownBy(() -> receiver.complete(first)).isInstanceOf(Exception.class);
    }
}
