package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.ServiceBusSessionReceiverClient;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SessionTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("wallet-tx", q -> q.requiresSession().lockDuration(Duration.ofMinutes(1)))
                .queue("plain");
    }

    private void send(String session, String... ids) {
        List<ServiceBusMessage> messages = new ArrayList<>();
        for (String id : ids) {
            messages.add(Clients.message(id, session));
        }
        clients.sender("wallet-tx").sendMessages(messages);
    }

    @Test
    void a_named_session_gets_its_messages_in_order_and_no_others() {
        send("w1", "a", "b", "c");
        send("w2", "x");
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        assertThat(session.getSessionId()).isEqualTo("w1");
        assertThat(Clients.ids(Clients.receive(session, 3))).containsExactly("a", "b", "c");
        assertThat(Clients.receiveNothing(session)).isEmpty();
    }

    @Test
    void session_ids_ignore_case() {
        send("W1", "a");
        send("w1", "b");
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        session.setSessionState(new byte[] {7});

        assertThatThrownBy(() -> clients.session("wallet-tx", "W1")).isInstanceOf(AmqpException.class);
        List<ServiceBusReceivedMessage> both = Clients.receive(session, 2);
        assertThat(Clients.ids(both)).containsExactly("a", "b");
        assertThat(both).extracting(ServiceBusReceivedMessage::getSessionId).containsExactly("W1", "w1");
        session.close();

        assertThat(clients.session("wallet-tx", "W1").getSessionState()).containsExactly(7);
    }

    @Test
    void the_next_session_is_the_one_that_has_waited_longest() {
        send("w1", "a");
        send("w2", "b");
        ServiceBusSessionReceiverClient sessions = clients.sessions("wallet-tx");
        assertThat(clients.track(sessions.acceptNextSession()).getSessionId()).isEqualTo("w1");
        assertThat(clients.track(sessions.acceptNextSession()).getSessionId()).isEqualTo("w2");
    }

    @Test
    void accepting_waits_for_a_session_to_turn_up() throws Exception {
        ServiceBusSessionReceiverClient sessions = clients.sessions("wallet-tx");
        CompletableFuture<ServiceBusReceiverClient> accepted =
                CompletableFuture.supplyAsync(() -> clients.track(sessions.acceptNextSession()));
        await().until(() -> bus.inspect("wallet-tx").waitingForSession() == 1);
        send("w1", "a");
        assertThat(accepted.get(10, TimeUnit.SECONDS).getSessionId()).isEqualTo("w1");
    }

    @Test
    void accepting_times_out_when_there_is_no_session() {
        ServiceBusSessionReceiverClient sessions = clients.track(clients.builder(0, Duration.ofSeconds(2))
                .sessionReceiver()
                .queueName(bus.name("wallet-tx"))
                .buildClient());
        assertThatThrownBy(sessions::acceptNextSession).isInstanceOf(Exception.class);
        assertThat(bus.inspect("wallet-tx").sessions()).isEmpty();
    }

    @Test
    void a_session_has_one_receiver_at_a_time() {
        send("w1", "a");
        clients.session("wallet-tx", "w1");
        assertThatThrownBy(() -> clients.session("wallet-tx", "w1"))
                .isInstanceOfSatisfying(
                        AmqpException.class,
                        e -> assertThat(e.getErrorCondition()).isEqualTo(AmqpErrorCondition.SESSION_CANNOT_BE_LOCKED));
    }

    @Test
    void a_closed_session_can_be_accepted_again_and_the_delivery_count_does_not_rise() {
        send("w1", "a", "b");
        ServiceBusReceiverClient first = clients.session("wallet-tx", "w1");
        assertThat(Clients.receiveOne(first).getMessageId()).isEqualTo("a");
        first.close();
        ServiceBusReceiverClient second = clients.session("wallet-tx", "w1");
        List<ServiceBusReceivedMessage> again = Clients.receive(second, 2);
        assertThat(Clients.ids(again)).containsExactly("a", "b");
        assertThat(again.get(0).getDeliveryCount()).isZero();
    }

    @Test
    void a_lost_session_gives_its_messages_to_the_next_receiver_and_counts_the_failure() {
        send("w1", "a", "b");
        ServiceBusReceiverClient first = clients.session("wallet-tx", "w1");
        ServiceBusReceivedMessage held = Clients.receiveOne(first);
        bus.advance(Duration.ofMinutes(1));
        // Depending on what reaches it first, the client sees the link end or gets no answer in its time.
        assertThatThrownBy(() -> first.complete(held))
                .isInstanceOfAny(ServiceBusException.class, IllegalStateException.class);
        ServiceBusReceiverClient second = clients.session("wallet-tx", "w1");
        List<ServiceBusReceivedMessage> again = Clients.receive(second, 2);
        assertThat(Clients.ids(again)).containsExactly("a", "b");
        assertThat(again.get(0).getDeliveryCount()).isEqualTo(1);
        assertThat(again.get(1).getDeliveryCount()).isZero();
    }

    @Test
    void a_renewed_session_outlives_its_first_lock() {
        send("w1", "a");
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        ServiceBusReceivedMessage held = Clients.receiveOne(session);
        bus.advance(Duration.ofSeconds(50));
        OffsetDateTime until = session.renewSessionLock();
        assertThat(until).isAfter(OffsetDateTime.now(ZoneOffset.UTC));
        bus.advance(Duration.ofSeconds(50));
        session.complete(held);
        assertThat(bus.inspect("wallet-tx").active()).isZero();
    }

    @Test
    void state_is_kept_across_receivers() {
        send("w1", "a");
        ServiceBusReceiverClient first = clients.session("wallet-tx", "w1");
        assertThat(first.getSessionState()).isNull();
        first.setSessionState(new byte[] {1, 2, 3});
        first.close();
        ServiceBusReceiverClient second = clients.session("wallet-tx", "w1");
        assertThat(second.getSessionState()).containsExactly(1, 2, 3);
        second.setSessionState(null);
        assertThat(second.getSessionState()).isNull();
    }

    @Test
    void a_message_without_session_is_refused() {
        ServiceBusSenderClient sender = clients.sender("wallet-tx");
        assertThatThrownBy(() -> sender.sendMessage(Clients.message("m1"))).isInstanceOf(Exception.class);
        assertThat(bus.inspect("wallet-tx").active()).isZero();
    }

    @Test
    void a_plain_receiver_is_refused_on_a_session_entity() {
        ServiceBusReceiverClient receiver = clients.receiver("wallet-tx");
        assertThatThrownBy(() -> receiver.receiveMessages(1, Duration.ofSeconds(2)).stream()
                        .toList())
                .isInstanceOf(Exception.class);
    }

    @Test
    void a_session_is_refused_on_a_plain_entity() {
        assertThatThrownBy(() -> clients.session("plain", "w1")).isInstanceOf(Exception.class);
    }

    @Test
    void an_abandoned_message_comes_again_before_the_rest_of_its_session() {
        send("w1", "a", "b");
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        session.abandon(Clients.receiveOne(session));
        assertThat(Clients.ids(Clients.receive(session, 2))).containsExactly("a", "b");
    }

    @Test
    void a_deferred_message_of_a_session_comes_by_its_number() {
        send("w1", "a");
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        ServiceBusReceivedMessage held = Clients.receiveOne(session);
        session.defer(held);
        ServiceBusReceivedMessage deferred = session.receiveDeferredMessage(held.getSequenceNumber());
        session.complete(deferred);
        assertThat(bus.inspect("wallet-tx").deferred()).isZero();
    }

    @Test
    void a_session_entity_has_a_plain_dead_letter_queue_that_keeps_the_session_id() {
        send("w1", "a");
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        session.deadLetter(Clients.receiveOne(session));
        assertThat(Clients.receiveOne(clients.deadLetters("wallet-tx")).getSessionId())
                .isEqualTo("w1");
    }

    @Test
    @Tag("long")
    void a_thousand_sessions_are_handed_out_one_by_one() {
        ServiceBusSenderClient sender = clients.sender("wallet-tx");
        for (int i = 0; i < 10; i++) {
            List<ServiceBusMessage> hundred = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                hundred.add(Clients.message("m" + i + "-" + j, "w" + i + "-" + j));
            }
            sender.sendMessages(hundred);
        }
        ServiceBusSessionReceiverClient sessions = clients.sessions("wallet-tx");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            try (ServiceBusReceiverClient session = sessions.acceptNextSession()) {
                session.complete(Clients.receiveOne(session));
                seen.add(session.getSessionId());
            }
        }
        assertThat(seen).hasSize(1000);
        assertThat(bus.inspect("wallet-tx").sessions()).isEmpty();
    }
}
