package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import com.azure.messaging.servicebus.models.AbandonOptions;
import com.azure.messaging.servicebus.models.CompleteOptions;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import com.azure.messaging.servicebus.models.DeferOptions;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders")
                .queue("invoices")
                .queue("wallet-tx", q -> q.requiresSession());
    }

    @Test
    void messages_sent_in_a_transaction_appear_at_its_commit() {
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(Clients.message("a"), transaction);
        sender.sendMessages(List.of(Clients.message("b"), Clients.message("c")), transaction);
        assertThat(bus.inspect("orders").active()).isZero();
        sender.commitTransaction(transaction);
        assertThat(bus.inspect("orders").active()).isEqualTo(3);
    }

    @Test
    void messages_sent_in_a_transaction_vanish_with_its_rollback() {
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(Clients.message("a"), transaction);
        sender.rollbackTransaction(transaction);
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_message_completed_in_a_transaction_stays_locked_until_its_commit() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage held = Clients.receiveOne(receiver);
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        receiver.complete(held, new CompleteOptions().setTransactionContext(transaction));
        assertThat(bus.inspect("orders").locked()).isEqualTo(1);
        receiver.commitTransaction(transaction);
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_message_completed_in_a_transaction_rolled_back_comes_again() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage held = Clients.receiveOne(receiver);
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        receiver.complete(held, new CompleteOptions().setTransactionContext(transaction));
        receiver.rollbackTransaction(transaction);
        bus.expireLocks("orders");
        assertThat(Clients.receiveOne(receiver).getMessageId()).isEqualTo("m1");
    }

    @Test
    void every_settlement_can_be_part_of_a_transaction() {
        clients.sender("orders")
                .sendMessages(List.of(Clients.message("abandon"), Clients.message("defer"), Clients.message("dead")));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        List<ServiceBusReceivedMessage> held = Clients.receive(receiver, 3);
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        receiver.abandon(held.get(0), new AbandonOptions().setTransactionContext(transaction));
        receiver.defer(held.get(1), new DeferOptions().setTransactionContext(transaction));
        receiver.deadLetter(held.get(2), new DeadLetterOptions().setTransactionContext(transaction));
        assertThat(bus.inspect("orders").locked()).isEqualTo(3);
        receiver.commitTransaction(transaction);
        assertThat(bus.inspect("orders").deferred()).isEqualTo(1);
        assertThat(bus.inspect("orders").deadLetters()).isEqualTo(1);
        assertThat(Clients.receiveOne(receiver).getDeliveryCount()).isEqualTo(1);
    }

    @Test
    void nothing_is_committed_when_one_lock_was_lost() {
        clients.sender("orders").sendMessages(List.of(Clients.message("a"), Clients.message("b")));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        List<ServiceBusReceivedMessage> held = Clients.receive(receiver, 2);
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        held.forEach(m -> receiver.complete(m, new CompleteOptions().setTransactionContext(transaction)));
        bus.expireLocks("orders");
        assertThatThrownBy(() -> receiver.commitTransaction(transaction)).isInstanceOf(Exception.class);
        assertThat(bus.inspect("orders").active()).isEqualTo(2);
    }

    @Test
    void a_transaction_may_span_entities_when_that_is_enabled() {
        ServiceBusClientBuilder shared = clients.builder().enableCrossEntityTransactions();
        ServiceBusReceiverClient receiver = clients.track(shared.receiver()
                .queueName(bus.name("orders"))
                .disableAutoComplete()
                .buildClient());
        ServiceBusSenderClient sender =
                clients.track(shared.sender().queueName(bus.name("invoices")).buildClient());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceivedMessage held = Clients.receiveOne(receiver);
        ServiceBusTransactionContext transaction = receiver.createTransaction();
        receiver.complete(held, new CompleteOptions().setTransactionContext(transaction));
        sender.sendMessage(Clients.message("i1"), transaction);
        assertThat(bus.inspect("invoices").active()).isZero();
        receiver.commitTransaction(transaction);
        assertThat(bus.inspect("orders").active()).isZero();
        assertThat(bus.inspect("invoices").active()).isEqualTo(1);
    }

    @Test
    void a_transaction_may_not_span_entities_otherwise() {
        ServiceBusClientBuilder shared = clients.builder();
        ServiceBusSenderClient orders =
                clients.track(shared.sender().queueName(bus.name("orders")).buildClient());
        ServiceBusSenderClient invoices =
                clients.track(shared.sender().queueName(bus.name("invoices")).buildClient());
        ServiceBusTransactionContext transaction = orders.createTransaction();
        orders.sendMessage(Clients.message("o1"), transaction);
        // The library does not look at the answer to a send in a transaction; the commit tells.
        invoices.sendMessage(Clients.message("i1"), transaction);
        assertThatThrownBy(() -> orders.commitTransaction(transaction)).isInstanceOf(Exception.class);
        assertThat(bus.inspect("orders").active()).isZero();
        assertThat(bus.inspect("invoices").active()).isZero();
    }

    @Test
    void a_transaction_dies_with_its_connection() {
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(Clients.message("a"), transaction);
        bus.dropConnections();
        await().until(() ->
                bus.connectionCount() == 0 || bus.journal("orders").stored().isEmpty());
        assertThatThrownBy(() -> sender.commitTransaction(transaction)).isInstanceOf(Exception.class);
        assertThat(bus.journal("orders").stored()).isEmpty();
    }

    @Test
    void a_transaction_times_out() {
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(Clients.message("a"), transaction);
        bus.advance(Duration.ofMinutes(2));
        assertThatThrownBy(() -> sender.commitTransaction(transaction)).isInstanceOf(ServiceBusException.class);
        assertThat(bus.journal("orders").stored()).isEmpty();
    }

    @Test
    void a_message_that_is_refused_inside_a_transaction_fails_its_commit() {
        ServiceBusSenderClient sender = clients.sender("wallet-tx");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(Clients.message("m1", "w1"), transaction);
        sender.sendMessage(Clients.message("no session"), transaction);
        assertThatThrownBy(() -> sender.commitTransaction(transaction)).isInstanceOf(Exception.class);
        assertThat(bus.inspect("wallet-tx").active()).isZero();
    }

    @Test
    void messages_scheduled_in_a_transaction_are_cancelled_by_its_rollback() {
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        OffsetDateTime later = OffsetDateTime.now(ZoneOffset.UTC).plusHours(1);
        sender.scheduleMessage(Clients.message("a"), later, transaction);
        sender.rollbackTransaction(transaction);
        assertThat(bus.inspect("orders").scheduled()).isZero();
    }

    @Test
    void messages_scheduled_in_a_transaction_stay_scheduled_after_its_commit() {
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        OffsetDateTime later = OffsetDateTime.now(ZoneOffset.UTC).plusHours(1);
        sender.scheduleMessage(Clients.message("a"), later, transaction);
        sender.commitTransaction(transaction);
        assertThat(bus.inspect("orders").scheduled()).isEqualTo(1);
    }

    @Test
    void a_commit_refused_by_a_fault_leaves_nothing_behind() {
        FaultHandle fault =
                bus.faults().at(FaultPoint.COMMIT).times(1).then(FaultAction.reject(BrokerError.TRANSACTION_ROLLBACK));
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(Clients.message("a"), transaction);
        assertThatThrownBy(() -> sender.commitTransaction(transaction)).isInstanceOf(Exception.class);
        assertThat(fault.hits()).isEqualTo(1);
        assertThat(bus.journal("orders").stored()).isEmpty();
    }
}
