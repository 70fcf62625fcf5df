package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.journal.Delivered;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@EmbeddedOnly("injects faults")
class FaultTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders", q -> q.lockDuration(Duration.ofMinutes(1)))
                .queue("once", q -> q.duplicateDetection(Duration.ofMinutes(10)))
                .queue("wallet-tx", q -> q.requiresSession());
    }

    @Test
    @Tag("long")
    void the_client_librarys_own_retry_stores_a_message_twice_without_detection() {
        FaultHandle fault = bus.faults()
                .at(FaultPoint.STORED_BEFORE_ACK)
                .entity("orders")
                .times(1)
                .then(FaultAction.dropConnection());
        clients.retryingSender("orders").sendMessage(Clients.message("m1"));
        assertThat(fault.hits()).isEqualTo(1);
        assertThat(bus.journal("orders").stored()).hasSize(2);
    }

    @Test
    void a_send_whose_acknowledgement_is_lost_with_the_connection_is_stored_once_with_detection() {
        bus.faults().at(FaultPoint.STORED_BEFORE_ACK).entity("once").times(1).then(FaultAction.dropConnection());
        ServiceBusSenderClient sender = clients.sender("once");
        assertThatThrownBy(() -> sender.sendMessage(Clients.message("m1"))).isInstanceOf(ServiceBusException.class);
        clients.sender("once").sendMessage(Clients.message("m1"));
        assertThat(bus.journal("once").stored()).hasSize(1);
        assertThat(bus.journal("once").duplicates()).hasSize(1);
    }

    @Test
    void a_send_whose_acknowledgement_is_swallowed_times_out_and_is_stored() {
        bus.faults().at(FaultPoint.STORED_BEFORE_ACK).times(1).then(FaultAction.swallow());
        ServiceBusSenderClient sender = clients.track(clients.builder(0, Duration.ofSeconds(1))
                .sender()
                .queueName("orders")
                .buildClient());
        assertThatThrownBy(() -> sender.sendMessage(Clients.message("m1"))).isInstanceOf(Exception.class);
        assertThat(bus.journal("orders").stored()).hasSize(1);
    }

    @Test
    void a_delayed_acknowledgement_comes_after_its_listener_was_told_off_the_brokers_thread() throws Exception {
        CompletableFuture<FaultEvent> told = new CompletableFuture<>();
        CompletableFuture<String> thread = new CompletableFuture<>();
        FaultHandle fault = bus.faults()
                .at(FaultPoint.STORED_BEFORE_ACK)
                .entity("ORDERS")
                .times(1)
                .onHit(event -> {
                    thread.complete(Thread.currentThread().getName());
                    told.complete(event);
                })
                .then(FaultAction.delay(Duration.ofMillis(50)));
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(fault.awaitHits(1, Clients.LONG)).isTrue();
        assertThat(told.get(10, TimeUnit.SECONDS).messageIds()).containsExactly("m1");
        assertThat(thread.get(10, TimeUnit.SECONDS)).isEqualTo("embedded-service-bus-listeners");
    }

    @Test
    @Tag("long")
    void while_an_acknowledgement_is_withheld_the_message_is_already_there() throws Exception {
        FaultHandle fault =
                bus.faults().at(FaultPoint.STORED_BEFORE_ACK).times(1).then(FaultAction.delay(Duration.ofMillis(200)));
        ServiceBusSenderClient sender = clients.sender("orders");
        CompletableFuture<Void> send = CompletableFuture.runAsync(() -> sender.sendMessage(Clients.message("m1")));
        assertThat(fault.awaitHits(1, Clients.LONG)).isTrue();
        assertThat(bus.inspect("orders").active()).isEqualTo(1);
        send.get(10, TimeUnit.SECONDS);
    }

    @Test
    void a_message_refused_before_it_is_stored_is_not_stored() {
        bus.faults().at(FaultPoint.BEFORE_STORE).times(1).then(FaultAction.reject(BrokerError.SERVER_BUSY));
        ServiceBusSenderClient sender = clients.sender("orders");
        assertThatThrownBy(() -> sender.sendMessage(Clients.message("m1")))
                .satisfies(e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.SERVER_BUSY_ERROR));
        assertThat(bus.journal("orders").stored()).isEmpty();
    }

    @Test
    void a_message_delivered_twice_comes_again_after_it_was_completed() {
        bus.faults()
                .at(FaultPoint.DELIVERED)
                .entity("orders")
                .message("m1")
                .times(1)
                .then(FaultAction.deliverTwice());
        clients.sender("orders").sendMessages(List.of(Clients.message("m1"), Clients.message("m2")));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ServiceBusReceivedMessage next = Clients.receiveOne(receiver);
            seen.add(next.getMessageId() + "/" + next.getDeliveryCount());
            receiver.complete(next);
        }
        assertThat(seen).containsExactly("m1/0", "m1/1", "m2/0");
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_message_of_a_session_delivered_twice_comes_again_in_its_place() {
        bus.faults().at(FaultPoint.DELIVERED).session("w1").after(1).times(1).then(FaultAction.deliverTwice());
        clients.sender("wallet-tx")
                .sendMessages(
                        List.of(Clients.message("a", "w1"), Clients.message("b", "w1"), Clients.message("c", "w1")));
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ServiceBusReceivedMessage next = Clients.receiveOne(session);
            seen.add(next.getMessageId());
            session.complete(next);
        }
        assertThat(seen).containsExactly("a", "b", "b", "c");
    }

    @Test
    void a_settlement_swallowed_on_its_way_is_not_applied() {
        bus.faults().at(FaultPoint.BEFORE_SETTLE).entity("orders").times(1).then(FaultAction.swallow());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.track(clients.builder(0, Duration.ofSeconds(1))
                .receiver()
                .queueName("orders")
                .disableAutoComplete()
                .buildClient());
        ServiceBusReceivedMessage first = Clients.receiveOne(receiver);
        assertThatThrownBy(() -> receiver.complete(first)).isInstanceOf(Exception.class);
        bus.expireLocks("orders");
        assertThat(Clients.receiveOne(receiver).getMessageId()).isEqualTo("m1");
    }

    @Test
    void a_settlement_only_pretended_comes_again_when_its_lock_ends() {
        bus.faults()
                .at(FaultPoint.BEFORE_SETTLE)
                .operation("completed")
                .times(1)
                .then(FaultAction.pretend());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        receiver.complete(Clients.receiveOne(receiver));
        assertThat(bus.inspect("orders").locked()).isEqualTo(1);
        bus.advance(Duration.ofMinutes(1));
        assertThat(Clients.receiveOne(receiver).getMessageId()).isEqualTo("m1");
    }

    @Test
    void a_lock_that_expires_under_a_settlement_fails_it() {
        bus.faults().at(FaultPoint.BEFORE_SETTLE).times(1).then(FaultAction.expireLock());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = Clients.receiveOne(receiver);
        assertThatThrownBy(() -> receiver.complete(first))
                .isInstanceOfSatisfying(
                        ServiceBusException.class,
                        e -> assertThat(e.getReason()).isEqualTo(ServiceBusFailureReason.MESSAGE_LOCK_LOST));
        assertThat(Clients.receiveOne(receiver).getDeliveryCount()).isEqualTo(1);
    }

    @Test
    void a_settlement_whose_answer_is_lost_with_the_connection_is_applied() throws Exception {
        FaultHandle fault =
                bus.faults().at(FaultPoint.SETTLED_BEFORE_ACK).times(1).then(FaultAction.dropConnection());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = Clients.receiveOne(receiver);
        assertThatThrownBy(() -> receiver.complete(first)).isInstanceOf(Exception.class);
        assertThat(fault.hits()).isEqualTo(1);
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_settlement_lost_with_the_connection_before_it_is_applied_comes_again() {
        bus.faults().at(FaultPoint.BEFORE_SETTLE).times(1).then(FaultAction.dropConnection());
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = Clients.receiveOne(receiver);
        assertThatThrownBy(() -> receiver.complete(first)).isInstanceOf(Exception.class);
        bus.expireLocks("orders");
        assertThat(Clients.receiveOne(clients.receiver("orders")).getMessageId())
                .isEqualTo("m1");
        assertThat(bus.journal("orders").deliveries())
                .extracting(Delivered::deliveryCount)
                .containsExactly(0, 1);
    }

    @Test
    void every_third_event_is_hit_after_the_first_two() {
        FaultHandle fault =
                bus.faults().at(FaultPoint.BEFORE_STORE).after(2).every(3).then(FaultAction.observe());
        ServiceBusSenderClient sender = clients.sender("orders");
        for (int i = 1; i <= 8; i++) {
            sender.sendMessage(Clients.message("m" + i));
        }
        assertThat(fault.events()).extracting(e -> e.messageIds().get(0)).containsExactly("m5", "m8");
    }

    @Test
    void a_cancelled_fault_does_not_hit() {
        FaultHandle fault = bus.faults().at(FaultPoint.BEFORE_STORE).then(FaultAction.reject(BrokerError.SERVER_BUSY));
        fault.cancel();
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(fault.hits()).isZero();
    }

    @Test
    void the_same_seed_makes_the_same_choices() {
        assertThat(chosenWithSeed(42)).isEqualTo(chosenWithSeed(42)).isNotEmpty();
        assertThat(chosenWithSeed(43)).isNotEqualTo(chosenWithSeed(42));
    }

    private static List<String> chosenWithSeed(long seed) {
        try (EmbeddedServiceBus seeded =
                        EmbeddedServiceBus.builder().queue("q").faultSeed(seed).start();
                Clients own = new Clients(seeded)) {
            FaultHandle fault =
                    seeded.faults().at(FaultPoint.BEFORE_STORE).probability(0.5).then(FaultAction.observe());
            ServiceBusSenderClient sender = own.sender("q");
            for (int i = 0; i < 40; i++) {
                sender.sendMessage(Clients.message("m" + i));
            }
            return fault.events().stream().map(e -> e.messageIds().get(0)).toList();
        }
    }
}
