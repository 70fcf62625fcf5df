package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.models.CompleteOptions;
import com.azure.messaging.servicebus.models.SubQueue;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactions together with schedules, duplicates, second thoughts, and entities that change under them. */
class TransactionCombinationTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders")
                .queue("careful", q -> q.duplicateDetection(Duration.ofMinutes(10)));
    }

    private static OffsetDateTime in(Duration wait) {
        return OffsetDateTime.now(ZoneOffset.UTC).plus(wait);
    }

    @Test
    void a_schedule_rolled_back_leaves_nothing_although_one_of_its_messages_is_a_duplicate() {
        ServiceBusSenderClient sender = clients.sender("careful");
        sender.sendMessage(Clients.message("a"));
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.scheduleMessages(
                        List.of(Clients.message("a"), Clients.message("b")), in(Duration.ofHours(1)), transaction)
                .forEach(number -> assertThat(number).isNotNegative());
        sender.rollbackTransaction(transaction);
        assertThat(bus.inspect("careful").scheduled()).isZero();
    }

    @Test
    void an_id_whose_schedule_was_rolled_back_is_no_duplicate_when_it_is_sent_again() {
        ServiceBusSenderClient sender = clients.sender("careful");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.scheduleMessage(Clients.message("a"), in(Duration.ofHours(1)), transaction);
        sender.rollbackTransaction(transaction);
        sender.sendMessage(Clients.message("a"));
        assertThat(bus.inspect("careful").active()).isEqualTo(1);
    }

    @Test
    void a_message_scheduled_in_a_transaction_never_comes_when_it_falls_due_before_the_rollback() {
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.scheduleMessage(Clients.message("a"), in(Duration.ofSeconds(30)), transaction);
        bus.advance(Duration.ofMinutes(1));
        assertThat(bus.inspect("orders").active()).isZero();
        sender.rollbackTransaction(transaction);
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_message_scheduled_in_a_transaction_has_the_number_that_cancels_it_after_the_commit() {
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        long number = sender.scheduleMessage(Clients.message("a"), in(Duration.ofHours(1)), transaction);
        sender.sendMessage(Clients.message("other"));
        sender.commitTransaction(transaction);
        assertThat(bus.inspect("orders").scheduled()).isEqualTo(1);
        sender.cancelScheduledMessage(number);
        assertThat(bus.inspect("orders").scheduled()).isZero();
    }

    @Test
    void a_commit_holds_although_the_receiver_was_closed_before_it() {
        var builder = clients.builder().enableCrossEntityTransactions();
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusSenderClient sender =
                clients.track(builder.sender().queueName("orders").buildClient());
        ServiceBusReceiverClient receiver =
                builder.receiver().queueName("orders").disableAutoComplete().buildClient();
        ServiceBusReceivedMessage held = Clients.receiveOne(receiver);
        ServiceBusTransactionContext transaction = sender.createTransaction();
        receiver.complete(held, new CompleteOptions().setTransactionContext(transaction));
        receiver.close();
        sender.commitTransaction(transaction);
        assertThat(bus.inspect("orders").locked()).isZero();
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_commit_is_refused_whole_when_the_entity_was_made_anew_meanwhile() {
        var builder = clients.builder().enableCrossEntityTransactions();
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.track(
                builder.receiver().queueName("orders").disableAutoComplete().buildClient());
        ServiceBusSenderClient other =
                clients.track(builder.sender().queueName("careful").buildClient());
        ServiceBusReceivedMessage held = Clients.receiveOne(receiver);
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        other.sendMessage(Clients.message("receipt"), transaction);
        receiver.complete(held, new CompleteOptions().setTransactionContext(transaction));
        bus.delete("orders");
        bus.createQueue("orders", q -> q);

        // The same number is locked again, by somebody else.
        clients.sender("orders").sendMessage(Clients.message("m2"));
        Clients.receiveOne(clients.receiver("orders"));
        assertThatThrownBy(() -> other.commitTransaction(transaction))
                .satisfies(thrown ->
                        assertThat(Clients.conditionOf(thrown)).isEqualTo(AmqpErrorCondition.MESSAGE_LOCK_LOST));
        assertThat(bus.journal("careful").stored()).isEmpty();
        assertThat(bus.inspect("orders").locked()).isEqualTo(1);
    }

    @Test
    void a_commit_is_refused_whole_when_an_entity_that_it_sends_to_was_made_anew_meanwhile() {
        var builder = clients.builder().enableCrossEntityTransactions();
        ServiceBusSenderClient first =
                clients.track(builder.sender().queueName("careful").buildClient());
        ServiceBusSenderClient second =
                clients.track(builder.sender().queueName("orders").buildClient());
        ServiceBusTransactionContext transaction = first.createTransaction();
        first.sendMessage(Clients.message("m1"), transaction);
        second.sendMessage(Clients.message("m2"), transaction);
        bus.delete("orders");
        bus.createQueue("orders", q -> q);
        assertThatThrownBy(() -> first.commitTransaction(transaction))
                .satisfies(thrown -> assertThat(Clients.conditionOf(thrown)).isEqualTo(AmqpErrorCondition.NOT_FOUND));
        assertThat(bus.journal("careful").stored()).isEmpty();
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void the_same_id_twice_in_a_transaction_is_stored_once_and_after_a_rollback_not_known() {
        ServiceBusSenderClient sender = clients.sender("careful");
        ServiceBusTransactionContext first = sender.createTransaction();
        sender.sendMessage(Clients.message("a"), first);
        sender.rollbackTransaction(first);
        ServiceBusTransactionContext second = sender.createTransaction();
        sender.sendMessage(Clients.message("a"), second);
        sender.sendMessage(Clients.message("a"), second);
        sender.commitTransaction(second);
        assertThat(bus.inspect("careful").active()).isEqualTo(1);
    }

    @Test
    void a_dead_letter_and_its_copy_change_places_at_the_commit_and_not_before() {
        ServiceBusClientBuilder shared = clients.builder().enableCrossEntityTransactions();
        ServiceBusReceiverClient dead = clients.track(shared.receiver()
                .queueName("orders")
                .subQueue(SubQueue.DEAD_LETTER_QUEUE)
                .disableAutoComplete()
                .buildClient());
        ServiceBusSenderClient back =
                clients.track(shared.sender().queueName("orders").buildClient());
        clients.sender("orders").sendMessage(Clients.message("a"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        receiver.deadLetter(Clients.receiveOne(receiver));

        ServiceBusTransactionContext undone = redrive(dead, back);
        dead.rollbackTransaction(undone);
        assertThat(bus.inspect("orders").active()).isZero();
        bus.expireLocks("orders");
        dead.commitTransaction(redrive(dead, back));
        assertThat(bus.inspect("orders").active()).isEqualTo(1);
        assertThat(bus.inspect("orders").deadLetters()).isZero();
    }

    private static ServiceBusTransactionContext redrive(ServiceBusReceiverClient dead, ServiceBusSenderClient back) {
        ServiceBusReceivedMessage held = Clients.receiveOne(dead);
        ServiceBusTransactionContext transaction = dead.createTransaction();
        back.sendMessage(Clients.message("copy"), transaction);
        dead.complete(held, new CompleteOptions().setTransactionContext(transaction));
        return transaction;
    }

    @Test
    void a_deferred_message_completed_in_a_transaction_that_is_rolled_back_is_deferred_again() {
        clients.sender("orders").sendMessage(Clients.message("a"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage held = Clients.receiveOne(receiver);
        receiver.defer(held);
        for (boolean commit : new boolean[] {false, true}) {
            ServiceBusReceivedMessage deferred = receiver.receiveDeferredMessage(held.getSequenceNumber());
            ServiceBusTransactionContext transaction = receiver.createTransaction();
            receiver.complete(deferred, new CompleteOptions().setTransactionContext(transaction));
            if (commit) {
                receiver.commitTransaction(transaction);
            } else {
                receiver.rollbackTransaction(transaction);
            }
            bus.expireLocks("orders");
            assertThat(bus.inspect("orders").deferred()).isEqualTo(commit ? 0 : 1);
            assertThat(bus.inspect("orders").active()).isZero();
        }
    }
}
