package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusTransactionContext;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every point with the actions that make sense there. */
@EmbeddedOnly("injects faults")
class FaultPointTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders", q -> q.lockDuration(Duration.ofMinutes(1)))
                .queue("wallet-tx", q -> q.requiresSession());
    }

    private FaultHandle once(FaultPoint point, FaultAction action) {
        return bus.faults().at(point).times(1).then(action);
    }

    private ServiceBusSenderClient hastySender() {
        return clients.track(clients.builder(0, Duration.ofSeconds(1))
                .sender()
                .queueName("orders")
                .buildClient());
    }

    private void sendFails(ServiceBusSenderClient sender) {
        assertThatThrownBy(() -> sender.sendMessage(Clients.message("m1"))).isInstanceOf(Exception.class);
    }

    private void afterwardsAllIsWell() {
        clients.sender("orders").sendMessage(Clients.message("afterwards"));
        assertThat(bus.journal("orders").stored())
                .last()
                .satisfies(stored -> assertThat(stored.messageId()).isEqualTo("afterwards"));
    }

    @Test
    void a_connection_dropped_as_it_opens_is_made_anew_by_the_library() {
        FaultHandle fault = once(FaultPoint.CONNECT, FaultAction.dropConnection());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(fault.hits()).isEqualTo(1);
        assertThat(bus.journal("orders").stored()).hasSize(1);
    }

    @Test
    void a_connection_refused_with_a_reason_is_made_anew_by_the_library() {
        FaultHandle fault = once(FaultPoint.CONNECT, FaultAction.reject(BrokerError.CONNECTION_FORCED));
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(fault.hits()).isEqualTo(1);
        assertThat(bus.journal("orders").stored()).hasSize(1);
    }

    @Test
    void a_connection_that_opens_late_works() {
        FaultHandle fault = once(FaultPoint.CONNECT, FaultAction.delay(Duration.ofMillis(100)));
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(fault.hits()).isEqualTo(1);
        assertThat(bus.journal("orders").stored()).hasSize(1);
    }

    @Test
    void a_token_refused_keeps_the_client_out() {
        bus.faults().at(FaultPoint.CBS).entity("orders").then(FaultAction.reject(BrokerError.UNAUTHORIZED));
        ServiceBusSenderClient sender = hastySender();
        assertThatThrownBy(() -> sender.sendMessage(Clients.message("m1")))
                .satisfies(e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.UNAUTHORIZED_ACCESS));
        bus.faults().clear();
        afterwardsAllIsWell();
    }

    @Test
    void a_token_never_answered_times_out() {
        FaultHandle fault = once(FaultPoint.CBS, FaultAction.swallow());
        sendFails(hastySender());
        assertThat(fault.hits()).isEqualTo(1);
        afterwardsAllIsWell();
    }

    @ParameterizedTest
    @EnumSource(
            value = BrokerError.class,
            names = {"NOT_FOUND", "ENTITY_DISABLED", "UNAUTHORIZED", "SERVER_BUSY", "RESOURCE_LIMIT_EXCEEDED"})
    void an_attach_refused_tells_the_client_why(BrokerError error) {
        bus.faults().at(FaultPoint.ATTACH).entity("orders").operation("send").then(FaultAction.reject(error));
        ServiceBusSenderClient sender = hastySender();
        assertThatThrownBy(() -> sender.sendMessage(Clients.message("m1")))
                .satisfies(e ->
                        assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.fromString(error.condition())));
        bus.faults().clear();
        afterwardsAllIsWell();
    }

    @Test
    void a_sender_without_credit_cannot_send() {
        bus.faults()
                .at(FaultPoint.ATTACH)
                .entity("orders")
                .operation("send")
                .times(1)
                .then(FaultAction.withholdCredit());
        sendFails(hastySender());
        assertThat(bus.journal("orders").stored()).isEmpty();
        afterwardsAllIsWell();
    }

    @ParameterizedTest
    @EnumSource(
            value = BrokerError.class,
            names = {
                "SERVER_BUSY",
                "RESOURCE_LIMIT_EXCEEDED",
                "ENTITY_DISABLED",
                "UNAUTHORIZED",
                "MESSAGE_SIZE_EXCEEDED",
                "TIMEOUT"
            })
    void a_send_refused_tells_the_client_why_and_stores_nothing(BrokerError error) {
        once(FaultPoint.BEFORE_STORE, FaultAction.reject(error));
        ServiceBusSenderClient sender = hastySender();
        assertThatThrownBy(() -> sender.sendMessage(Clients.message("m1")))
                .satisfies(e ->
                        assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.fromString(error.condition())));
        assertThat(bus.journal("orders").stored()).isEmpty();
        afterwardsAllIsWell();
    }

    @Test
    void a_send_dropped_with_the_connection_before_it_is_stored_is_not_stored() {
        once(FaultPoint.BEFORE_STORE, FaultAction.dropConnection());
        sendFails(hastySender());
        assertThat(bus.journal("orders").stored()).isEmpty();
        afterwardsAllIsWell();
    }

    @Test
    void a_send_detached_before_it_is_stored_is_not_stored() {
        once(FaultPoint.BEFORE_STORE, FaultAction.detach(BrokerError.DETACH_FORCED));
        sendFails(hastySender());
        assertThat(bus.journal("orders").stored()).isEmpty();
        afterwardsAllIsWell();
    }

    @Test
    void a_send_acknowledged_and_lost_is_the_loss_that_a_checker_must_find() {
        once(FaultPoint.BEFORE_STORE, FaultAction.pretend());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(bus.journal("orders").stored()).isEmpty();
        afterwardsAllIsWell();
    }

    @Test
    void a_send_delayed_before_it_is_stored_arrives_even_if_its_client_has_given_up() {
        once(FaultPoint.BEFORE_STORE, FaultAction.delay(Duration.ofMillis(1500)));
        sendFails(hastySender());
        await().until(() -> bus.journal("orders").storedCount() == 1);
    }

    @Test
    void a_send_stored_and_then_detached_is_stored() {
        once(FaultPoint.STORED_BEFORE_ACK, FaultAction.detach(BrokerError.DETACH_FORCED));
        sendFails(hastySender());
        assertThat(bus.journal("orders").stored()).hasSize(1);
        afterwardsAllIsWell();
    }

    @Test
    void a_send_stored_and_then_refused_is_stored() {
        once(FaultPoint.STORED_BEFORE_ACK, FaultAction.reject(BrokerError.SERVER_BUSY));
        sendFails(hastySender());
        assertThat(bus.journal("orders").stored()).hasSize(1);
    }

    @Test
    void a_batch_whose_acknowledgement_is_lost_is_stored_whole() {
        FaultHandle fault = once(FaultPoint.STORED_BEFORE_ACK, FaultAction.dropConnection());
        ServiceBusSenderClient sender = hastySender();
        assertThatThrownBy(() -> sender.sendMessages(List.of(Clients.message("a"), Clients.message("b"))))
                .isInstanceOf(Exception.class);
        assertThat(fault.events())
                .singleElement()
                .satisfies(event -> assertThat(event.messageIds()).containsExactly("a", "b"));
        assertThat(bus.journal("orders").stored()).hasSize(2);
    }

    @Test
    void a_connection_closed_with_a_reason_after_the_store_leaves_the_message() {
        once(FaultPoint.STORED_BEFORE_ACK, FaultAction.closeConnection(BrokerError.CONNECTION_FORCED));
        sendFails(hastySender());
        assertThat(bus.journal("orders").stored()).hasSize(1);
        afterwardsAllIsWell();
    }

    @Test
    void reads_that_stall_hold_up_this_client_only() throws Exception {
        FaultHandle fault = once(FaultPoint.STORED_BEFORE_ACK, FaultAction.stallReads(Duration.ofMillis(300)));
        ServiceBusSenderClient stalled = clients.sender("orders");
        stalled.sendMessage(Clients.message("m1"));
        assertThat(fault.hits()).isEqualTo(1);
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> stalled.sendMessage(Clients.message("m2")));
        clients.sender("orders").sendMessage(Clients.message("other"));
        second.get(10, TimeUnit.SECONDS);
        assertThat(bus.journal("orders").stored()).hasSize(3);
    }

    @Test
    void a_delivery_lost_with_the_connection_comes_again_when_its_lock_ends() {
        once(FaultPoint.BEFORE_DELIVER, FaultAction.dropConnection());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        assertThat(Clients.receiveNothing(receiver)).isEmpty();
        bus.expireLocks("orders");
        assertThat(Clients.receiveOne(clients.receiver("orders")).getDeliveryCount())
                .isEqualTo(1);
    }

    @Test
    void a_delivery_swallowed_holds_its_lock() {
        once(FaultPoint.BEFORE_DELIVER, FaultAction.swallow());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        assertThat(Clients.receiveNothing(receiver)).isEmpty();
        assertThat(bus.inspect("orders").locked()).isEqualTo(1);
    }

    @Test
    void a_delivery_delayed_comes_late() {
        once(FaultPoint.BEFORE_DELIVER, FaultAction.delay(Duration.ofMillis(100)));
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(Clients.receiveOne(clients.receiver("orders")).getMessageId())
                .isEqualTo("m1");
    }

    @Test
    void a_lock_that_expires_on_delivery_fails_the_settlement() {
        once(FaultPoint.DELIVERED, FaultAction.expireLock());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = Clients.receiveOne(receiver);
        assertThatThrownBy(() -> receiver.complete(first))
                .satisfies(e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.MESSAGE_LOCK_LOST));
    }

    @Test
    void a_session_lost_under_a_settlement_comes_again_in_order() {
        clients.sender("wallet-tx").sendMessages(List.of(Clients.message("a", "w1"), Clients.message("b", "w1")));
        once(FaultPoint.BEFORE_SETTLE, FaultAction.expireLock());
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        ServiceBusReceivedMessage first = Clients.receiveOne(session);
        assertThatThrownBy(() -> session.complete(first)).isInstanceOf(Exception.class);
        assertThat(Clients.ids(Clients.receive(clients.session("wallet-tx", "w1"), 2)))
                .containsExactly("a", "b");
    }

    @Test
    void a_settlement_refused_is_not_applied() {
        once(FaultPoint.BEFORE_SETTLE, FaultAction.reject(BrokerError.INTERNAL_ERROR));
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = Clients.receiveOne(receiver);
        assertThatThrownBy(() -> receiver.complete(first)).isInstanceOf(Exception.class);
        assertThat(bus.inspect("orders").locked()).isEqualTo(1);
    }

    @Test
    void a_settlement_answered_late_is_applied_at_once() throws Exception {
        FaultHandle fault = once(FaultPoint.SETTLED_BEFORE_ACK, FaultAction.delay(Duration.ofMillis(300)));
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = Clients.receiveOne(receiver);
        CompletableFuture<Void> completing = CompletableFuture.runAsync(() -> receiver.complete(first));
        assertThat(fault.awaitHits(1, Clients.LONG)).isTrue();
        assertThat(bus.inspect("orders").active()).isZero();
        completing.get(10, TimeUnit.SECONDS);
    }

    @Test
    void a_settlement_never_answered_is_applied() {
        once(FaultPoint.SETTLED_BEFORE_ACK, FaultAction.swallow());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.track(clients.builder(0, Duration.ofSeconds(1))
                .receiver()
                .queueName("orders")
                .disableAutoComplete()
                .buildClient());
        ServiceBusReceivedMessage first = Clients.receiveOne(receiver);
        assertThatThrownBy(() -> receiver.complete(first)).isInstanceOf(Exception.class);
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_renewal_refused_fails_and_the_lock_goes_on() {
        FaultHandle fault = bus.faults()
                .at(FaultPoint.MANAGEMENT)
                .operation("renew-lock")
                .times(1)
                .then(FaultAction.reject(BrokerError.MESSAGE_LOCK_LOST));
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = Clients.receiveOne(receiver);
        assertThatThrownBy(() -> receiver.renewMessageLock(first))
                .satisfies(e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.MESSAGE_LOCK_LOST));
        assertThat(fault.events()).extracting(FaultEvent::operation).containsExactly("renew-lock");
        receiver.complete(first);
    }

    @Test
    void a_request_never_answered_times_out() {
        bus.faults()
                .at(FaultPoint.MANAGEMENT)
                .entity("orders")
                .operation("peek-message")
                .times(1)
                .then(FaultAction.swallow());
        ServiceBusReceiverClient receiver = clients.track(clients.builder(0, Duration.ofSeconds(1))
                .receiver()
                .queueName("orders")
                .buildClient());
        assertThatThrownBy(receiver::peekMessage).isInstanceOf(Exception.class);
    }

    @Test
    void a_commit_whose_answer_is_lost_with_the_connection_has_not_happened() {
        once(FaultPoint.COMMIT, FaultAction.dropConnection());
        ServiceBusSenderClient sender = hastySender();
        ServiceBusTransactionContext transaction = sender.createTransaction();
        sender.sendMessage(Clients.message("m1"), transaction);
        assertThatThrownBy(() -> sender.commitTransaction(transaction)).isInstanceOf(Exception.class);
        assertThat(bus.journal("orders").stored()).isEmpty();
    }

    @Test
    void rules_are_asked_in_the_order_in_which_they_were_made() {
        FaultHandle first = once(FaultPoint.BEFORE_STORE, FaultAction.observe());
        FaultHandle second = once(FaultPoint.BEFORE_STORE, FaultAction.observe());
        ServiceBusSenderClient sender = clients.sender("orders");
        sender.sendMessage(Clients.message("m1"));
        assertThat(first.hits()).isEqualTo(1);
        assertThat(second.hits()).isZero();
        sender.sendMessage(Clients.message("m2"));
        assertThat(second.hits()).isEqualTo(1);
    }

    @Test
    void waiting_for_a_hit_that_does_not_come_ends() throws Exception {
        FaultHandle fault = once(FaultPoint.COMMIT, FaultAction.observe());
        assertThat(fault.awaitHits(1, Duration.ofMillis(10))).isFalse();
    }

    @Test
    void a_condition_chooses_its_events() {
        FaultHandle fault = bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .when(event -> event.messageIds().contains("m2"))
                .then(FaultAction.observe());
        ServiceBusSenderClient sender = clients.sender("orders");
        sender.sendMessage(Clients.message("m1"));
        sender.sendMessage(Clients.message("m2"));
        assertThat(fault.hits()).isEqualTo(1);
    }

    @Test
    void nonsense_is_refused_when_a_rule_is_written() {
        assertThatThrownBy(() -> bus.faults().at(FaultPoint.CBS).times(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bus.faults().at(FaultPoint.CBS).every(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bus.faults().at(FaultPoint.CBS).after(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bus.faults().at(FaultPoint.CBS).probability(1.5))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
