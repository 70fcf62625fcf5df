package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Everything that counts against the size of an entity, and when room is asked for. */
class QuotaTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("full", q -> q.maxSizeBytes(4_000))
                .queue("wallet-tx", q -> q.requiresSession().maxSizeBytes(4_000))
                .queue("source", q -> q.forwardDeadLettersTo("events"))
                .topic(
                        "events",
                        t -> t.intake(i -> i.maxSizeBytes(5_000))
                                .subscription("a")
                                .subscription("b"));
    }

    private static ServiceBusMessage large() {
        return new ServiceBusMessage(new byte[2_000]);
    }

    private static void exceeds(ThrowingCallable call) {
        assertThatThrownBy(call)
                .satisfies(
                        e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.RESOURCE_LIMIT_EXCEEDED));
    }

    @Test
    void messages_of_a_transaction_that_fit_one_by_one_and_not_together_fail_its_commit() {
        ServiceBusSenderClient sender = clients.sender("full");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(large(), transaction);
        sender.sendMessage(large(), transaction);
        exceeds(() -> sender.commitTransaction(transaction));
        assertThat(bus.inspect("full").active()).isZero();
    }

    @Test
    void messages_of_a_transaction_for_which_there_was_room_and_is_none_any_more_fail_its_commit() {
        ServiceBusSenderClient sender = clients.sender("full");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(large(), transaction);
        sender.sendMessage(large());
        exceeds(() -> sender.commitTransaction(transaction));
        assertThat(bus.inspect("full").active()).isEqualTo(1);
    }

    @Test
    void messages_scheduled_and_sent_in_a_transaction_count_together() {
        ServiceBusSenderClient sender = clients.sender("full");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.scheduleMessage(large(), OffsetDateTime.now(ZoneOffset.UTC).plusHours(1), transaction);
        sender.sendMessage(large(), transaction);
        exceeds(() -> sender.commitTransaction(transaction));
        assertThat(bus.inspect("full").scheduled()).isZero();
    }

    @Test
    void the_state_of_a_session_takes_up_room_until_it_is_cleared() {
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        session.setSessionState(new byte[3_000]);
        exceeds(() -> session.setSessionState(new byte[4_001]));
        exceeds(() -> clients.sender("wallet-tx").sendMessage(large().setSessionId("w1")));

        session.setSessionState(null);
        clients.sender("wallet-tx").sendMessage(large().setSessionId("w1"));
        exceeds(() -> session.setSessionState(new byte[3_000]));
        session.setSessionState(new byte[10]);
    }

    @Test
    void dead_letters_take_up_room() {
        clients.sender("full").sendMessage(large());
        ServiceBusReceiverClient receiver = clients.receiver("full");
        receiver.deadLetter(Clients.receiveOne(receiver));
        exceeds(() -> clients.sender("full").sendMessage(large()));
        ServiceBusReceiverClient dead = clients.deadLetters("full");
        dead.complete(Clients.receiveOne(dead));
        clients.sender("full").sendMessage(large());
    }

    @Test
    void the_messages_of_its_subscriptions_fill_a_topic_and_who_waits_for_room_gets_it() {
        clients.topicSender("events").sendMessage(large());
        exceeds(() -> clients.topicSender("events").sendMessage(large()));
        clients.sender("source").sendMessage(new ServiceBusMessage(new byte[2_000]));
        ServiceBusReceiverClient source = clients.receiver("source");
        source.deadLetter(Clients.receiveOne(source));
        assertThat(bus.inspect("source").deadLetters()).isEqualTo(1);

        ServiceBusReceiverClient receiver = clients.subscription("events", "a");
        receiver.complete(Clients.receiveOne(receiver));
        assertThat(Clients.receiveOne(receiver).getDeadLetterSource()).isEqualTo("source");
        assertThat(bus.inspect("source").deadLetters()).isZero();
    }
}
