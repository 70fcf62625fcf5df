package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import dev.waybill.servicebus.embedded.config.EntityStatus;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.proton.engine.Receiver;
import org.junit.jupiter.api.Test;

/** Entities that are changed, deleted and made anew while clients hold on to them, and requests that repeat themselves. */
class EntityCombinationTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders")
                .queue("out")
                .queue("fleeting", q -> q.autoDeleteOnIdle(Duration.ofMinutes(5)))
                .queue("fleeting-sessions", q -> q.requiresSession().autoDeleteOnIdle(Duration.ofMinutes(5)))
                .queue("fragile", q -> q.maxDeliveryCount(1))
                .queue("careful", q -> q.duplicateDetection(Duration.ofMinutes(10)))
                .queue("wallet-tx", q -> q.requiresSession())
                .queue("to-parts", q -> q.forwardTo("parts"))
                .queue("parts", q -> q.partitioned(true));
    }

    private RawClient raw() {
        RawClient raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
        return raw;
    }

    @Test
    void a_sender_goes_on_after_its_queue_was_deleted_and_made_anew() {
        ServiceBusSenderClient sender = clients.retryingSender("orders");
        sender.sendMessage(Clients.message("m1"));
        bus.delete("orders");
        bus.createQueue("orders", q -> q);
        // A send that is under way when the link is closed may fail; those after it do not.
        await().ignoreExceptions().atMost(Duration.ofSeconds(30)).until(() -> {
            sender.sendMessage(Clients.message("m2"));
            return bus.inspect("orders").active() > 0;
        });
    }

    @Test
    void who_waits_for_a_session_is_told_that_the_queue_is_gone() {
        ServiceBusSessionReceiverClient sessions = clients.track(clients.builder(0, Duration.ofMinutes(1))
                .sessionReceiver()
                .queueName("wallet-tx")
                .buildClient());
        CompletableFuture<ServiceBusReceiverClient> accepted =
                CompletableFuture.supplyAsync(() -> clients.track(sessions.acceptNextSession()));
        await().until(() -> bus.inspect("wallet-tx").waitingForSession() == 1);
        bus.delete("wallet-tx");
        assertThatThrownBy(() -> accepted.get(20, TimeUnit.SECONDS)).hasStackTraceContaining("not be found");
    }

    @Test
    void a_receiver_of_dead_letters_gets_what_came_while_its_queue_was_disabled() throws Exception {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage held = Clients.receiveOne(receiver);
        FaultHandle attached = bus.faults()
                .at(FaultPoint.ATTACH)
                .entity("orders/$DeadLetterQueue")
                .then(FaultAction.observe());
        ServiceBusReceiverClient dead = clients.deadLetters("orders");
        CompletableFuture<ServiceBusReceivedMessage> letter =
                CompletableFuture.supplyAsync(() -> Clients.receiveOne(dead));
        await().until(() -> attached.hits() == 1);
        bus.update("orders", q -> q.status(EntityStatus.DISABLED));
        receiver.deadLetter(held);
        bus.update("orders", q -> q.status(EntityStatus.ACTIVE));
        assertThat(letter.get(8, TimeUnit.SECONDS).getMessageId()).isEqualTo("m1");
    }

    @Test
    void a_message_that_was_locked_when_forwarding_began_is_forwarded_when_it_comes_back() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage held = Clients.receiveOne(receiver);
        bus.update("orders", q -> q.forwardTo("out"));
        receiver.abandon(held);
        assertThat(Clients.receiveOne(clients.receiver("out")).getMessageId()).isEqualTo("m1");
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_deferred_message_asked_for_twice_in_one_request_comes_once_and_is_settled_once() {
        clients.sender("orders").sendMessages(List.of(Clients.message("m1"), Clients.message("m2")));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        List<ServiceBusReceivedMessage> held = Clients.receive(receiver, 2);
        receiver.defer(held.get(0));
        long number = held.get(0).getSequenceNumber();
        List<ServiceBusReceivedMessage> again = receiver.receiveDeferredMessageBatch(List.of(number, number)).stream()
                .toList();
        assertThat(again).hasSize(1);
        again.forEach(receiver::complete);
        assertThat(bus.inspect("orders").locked()).isEqualTo(1);
        receiver.complete(held.get(1));
        assertThat(bus.inspect("orders").locked()).isZero();
    }

    @Test
    void a_scheduled_message_cancelled_twice_in_one_request_is_counted_once() {
        ServiceBusSenderClient sender = clients.sender("wallet-tx");
        long number = sender.scheduleMessage(
                Clients.message("m1", "w1"), OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
        sender.sendMessage(Clients.message("m2", "w1"));
        sender.cancelScheduledMessages(List.of(number, number));
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        session.complete(Clients.receiveOne(session));
        session.close();
        await().untilAsserted(
                        () -> assertThat(bus.inspect("wallet-tx").sessions()).isEmpty());
    }

    @Test
    void an_id_is_a_duplicate_again_after_its_window_was_shortened_and_went_by() {
        ServiceBusSenderClient sender = clients.sender("careful");
        sender.sendMessage(Clients.message("old"));
        bus.update("careful", q -> q.duplicateDetection(Duration.ofMinutes(1)));
        sender.sendMessage(Clients.message("a"));
        bus.advance(Duration.ofMinutes(2));
        sender.sendMessage(Clients.message("a"));
        sender.sendMessage(Clients.message("a"));
        assertThat(bus.inspect("careful").active()).isEqualTo(3);
    }

    @Test
    void a_number_given_by_a_partitioned_queue_tells_the_partition_also_of_what_was_forwarded() {
        clients.sender("parts").sendMessage(Clients.message("m1").setPartitionKey("k"));
        clients.sender("to-parts").sendMessage(Clients.message("m2").setPartitionKey("k"));
        List<ServiceBusReceivedMessage> both = Clients.receive(clients.receiver("parts"), 2);
        assertThat(both).hasSize(2);
        assertThat(both.get(0).getSequenceNumber() >> 48).isEqualTo(both.get(1).getSequenceNumber() >> 48);
    }

    @Test
    void a_negative_number_of_messages_to_delete_deletes_none() {
        clients.sender("orders").sendMessages(List.of(Clients.message("m1"), Clients.message("m2")));
        raw().request("orders/$management", "batch-delete-messages", Map.of("message-count", -1));
        assertThat(bus.inspect("orders").active()).isEqualTo(2);
    }

    @Test
    void a_message_whose_properties_cannot_be_read_is_refused_and_harms_no_receiver() {
        byte[] broken = {0, 0x53, 0x74, (byte) 0xC1, 4, 2, (byte) 0xA1, 0x7F, 0x41, 0, 0x53, 0x77, (byte) 0xA1, 1, 'x'};
        String outcome = raw().sendBytes("fragile", broken);
        if (outcome.equals("accepted")) {
            ServiceBusReceiverClient receiver = clients.receiver("fragile");
            receiver.receiveMessages(1, Duration.ofSeconds(3)).forEach(receiver::abandon);
            assertThat(bus.inspect("fragile").deadLetters()).isEqualTo(1);
        }
        assertThat(outcome).startsWith("rejected");
    }

    @Test
    void a_link_that_was_drained_of_all_its_credit_gets_the_next_message_for_the_next_credit() {
        RawClient raw = raw();
        raw.send("orders", "m1");
        raw.send("orders", "m2");
        Receiver receiver = raw.newReceiver("r");
        raw.attach(receiver, "orders", Map.of());
        assertThat(raw.drain(receiver, 2)).isEqualTo(2);
        assertThat(receiver.getCredit()).isZero();
        assertThat(raw.drain(receiver, 0)).isZero();
        assertThat(receiver.getCredit()).isZero();
        raw.send("orders", "m3");
        assertThat(raw.drain(receiver, 1)).isEqualTo(1);
        assertThat(receiver.getCredit()).isZero();
    }

    private void passMinutes(int minutes) {
        for (int i = 0; i < minutes; i++) {
            bus.advance(Duration.ofMinutes(1));
        }
    }

    @Test
    void a_queue_to_which_somebody_schedules_messages_is_in_use() {
        ServiceBusSenderClient sender = clients.sender("fleeting");
        for (int i = 0; i < 3; i++) {
            passMinutes(4);
            sender.scheduleMessage(
                    Clients.message("m" + i), OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
        }
        assertThat(bus.inspect("fleeting").scheduled()).isEqualTo(3);
    }

    @Test
    void a_queue_whose_dead_letters_somebody_receives_is_in_use() {
        RawClient raw = raw();
        raw.receiver("fleeting/$DeadLetterQueue", 1);
        passMinutes(20);
        assertThat(bus.inspect("fleeting").active()).isZero();
    }

    @Test
    void a_queue_on_whose_sessions_somebody_waits_is_in_use() {
        raw().acceptNextSession("fleeting-sessions");
        await().until(() -> bus.inspect("fleeting-sessions").waitingForSession() == 1);
        passMinutes(20);
        assertThat(bus.inspect("fleeting-sessions").waitingForSession()).isEqualTo(1);
    }
}
