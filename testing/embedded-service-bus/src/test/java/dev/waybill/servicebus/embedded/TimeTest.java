package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import dev.waybill.servicebus.embedded.journal.Stored;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that are not due yet, and messages whose time is over. */
class TimeTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders", q -> q.lockDuration(Duration.ofMinutes(1)))
                .queue("short", q -> q.timeToLive(Duration.ofMinutes(10)).deadLetterOnExpiration())
                .queue("fleeting", q -> q.autoDeleteOnIdle(Duration.ofMinutes(5)))
                .topic(
                        "events",
                        t -> t.subscription("s", s -> s.delivery(q -> q.autoDeleteOnIdle(Duration.ofMinutes(5)))))
                .queue("wallet-tx", q -> q.requiresSession());
    }

    private static OffsetDateTime in(Duration wait) {
        return OffsetDateTime.now(ZoneOffset.UTC).plus(wait);
    }

    @Test
    void a_scheduled_message_comes_when_due_and_says_that_it_was_scheduled() {
        ServiceBusSenderClient sender = clients.sender("orders");
        sender.scheduleMessage(Clients.message("m1"), in(Duration.ofHours(1)));
        assertThat(bus.inspect("orders").scheduled()).isEqualTo(1);
        assertThat(bus.inspect("orders").active()).isZero();
        bus.advance(Duration.ofHours(1));
        ServiceBusReceivedMessage received = Clients.receiveOne(clients.receiver("orders"));
        assertThat(received.getMessageId()).isEqualTo("m1");
        assertThat(received.getState()).isEqualTo(ServiceBusMessageState.SCHEDULED);
    }

    @Test
    void a_message_that_carries_its_own_schedule_waits_too() {
        clients.sender("orders").sendMessage(Clients.message("m1").setScheduledEnqueueTime(in(Duration.ofHours(1))));
        assertThat(bus.inspect("orders").scheduled()).isEqualTo(1);
        bus.advance(Duration.ofHours(1));
        assertThat(bus.inspect("orders").active()).isEqualTo(1);
    }

    @Test
    void a_message_scheduled_for_the_past_comes_at_once() {
        clients.sender("orders").sendMessage(Clients.message("m1").setScheduledEnqueueTime(in(Duration.ofHours(-1))));
        assertThat(Clients.receiveOne(clients.receiver("orders")).getMessageId())
                .isEqualTo("m1");
    }

    @Test
    void a_cancelled_message_never_comes() {
        ServiceBusSenderClient sender = clients.sender("orders");
        long number = sender.scheduleMessage(Clients.message("m1"), in(Duration.ofHours(1)));
        sender.cancelScheduledMessage(number);
        bus.advance(Duration.ofHours(2));
        assertThat(bus.inspect("orders").active()).isZero();
        assertThat(bus.journal("orders").stored()).isEmpty();
    }

    @Test
    void several_messages_are_scheduled_and_cancelled_together() {
        ServiceBusSenderClient sender = clients.sender("orders");
        // The stream schedules anew each time it is read.
        List<Long> numbers = new ArrayList<>();
        sender.scheduleMessages(
                        List.of(Clients.message("a"), Clients.message("b"), Clients.message("c")),
                        in(Duration.ofHours(1)))
                .forEach(numbers::add);
        assertThat(numbers).hasSize(3).doesNotHaveDuplicates();
        sender.cancelScheduledMessages(numbers);
        assertThat(bus.inspect("orders").scheduled()).isZero();
    }

    @Test
    void messages_due_at_the_same_moment_come_in_the_order_in_which_they_were_scheduled() {
        OffsetDateTime due = in(Duration.ofHours(1));
        assertThat(clients.sender("orders").scheduleMessages(List.of(Clients.message("a"), Clients.message("b")), due))
                .hasSize(2);
        bus.advance(Duration.ofHours(1));
        assertThat(bus.journal("orders").stored()).extracting(Stored::messageId).containsExactly("a", "b");
    }

    @Test
    void a_scheduled_message_gets_a_new_number_when_due() {
        ServiceBusSenderClient sender = clients.sender("orders");
        long scheduledAs = sender.scheduleMessage(Clients.message("m1"), in(Duration.ofHours(1)));
        sender.sendMessage(Clients.message("m2"));
        bus.advance(Duration.ofHours(1));
        List<ServiceBusReceivedMessage> received = Clients.receive(clients.receiver("orders"), 2);
        assertThat(Clients.ids(received)).containsExactly("m2", "m1");
        assertThat(received.get(1).getSequenceNumber()).isGreaterThan(scheduledAs);
    }

    @Test
    void a_scheduled_message_of_a_session_makes_its_session_available_when_due() {
        clients.sender("wallet-tx").scheduleMessage(Clients.message("m1", "w1"), in(Duration.ofHours(1)));
        bus.advance(Duration.ofHours(1));
        ServiceBusReceiverClient session =
                clients.track(clients.sessions("wallet-tx").acceptNextSession());
        assertThat(session.getSessionId()).isEqualTo("w1");
    }

    @Test
    void a_message_outlives_its_own_time_to_live_nowhere() {
        clients.sender("orders").sendMessage(Clients.message("m1").setTimeToLive(Duration.ofMinutes(5)));
        bus.advance(Duration.ofMinutes(5));
        assertThat(bus.inspect("orders").active()).isZero();
        assertThat(bus.inspect("orders").deadLetters()).isZero();
    }

    @Test
    void an_expired_message_becomes_a_dead_letter_where_that_is_set() {
        clients.sender("short").sendMessage(Clients.message("m1"));
        bus.advance(Duration.ofMinutes(10));
        ServiceBusReceivedMessage dead = Clients.receiveOne(clients.deadLetters("short"));
        assertThat(dead.getDeadLetterReason()).isEqualTo("TTLExpiredException");
    }

    @Test
    void the_entitys_time_to_live_bounds_the_messages() {
        clients.sender("short").sendMessage(Clients.message("m1").setTimeToLive(Duration.ofDays(1)));
        bus.advance(Duration.ofMinutes(10));
        assertThat(bus.inspect("short").deadLetters()).isEqualTo(1);
    }

    @Test
    void a_locked_message_expires_only_after_its_lock() {
        clients.sender("orders").sendMessage(Clients.message("m1").setTimeToLive(Duration.ofSeconds(30)));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage held = Clients.receiveOne(receiver);
        bus.advance(Duration.ofSeconds(45));
        receiver.complete(held);
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_message_that_expired_while_locked_is_gone_once_abandoned() {
        clients.sender("orders").sendMessage(Clients.message("m1").setTimeToLive(Duration.ofSeconds(30)));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage held = Clients.receiveOne(receiver);
        bus.advance(Duration.ofSeconds(45));
        receiver.abandon(held);
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_deferred_message_does_not_expire() {
        clients.sender("orders").sendMessage(Clients.message("m1").setTimeToLive(Duration.ofSeconds(30)));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage held = Clients.receiveOne(receiver);
        receiver.defer(held);
        bus.advance(Duration.ofMinutes(5));
        assertThat(receiver.receiveDeferredMessage(held.getSequenceNumber()).getMessageId())
                .isEqualTo("m1");
    }

    @Test
    void a_dead_letter_does_not_expire() {
        clients.sender("short").sendMessage(Clients.message("m1"));
        bus.advance(Duration.ofMinutes(10));
        bus.advance(Duration.ofDays(30));
        assertThat(bus.inspect("short").deadLetters()).isEqualTo(1);
    }

    @Test
    void clients_are_told_wall_time_however_far_the_broker_has_advanced() {
        bus.advance(Duration.ofDays(3));
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceivedMessage received = Clients.receiveOne(clients.receiver("orders"));
        OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
        assertThat(received.getEnqueuedTime()).isBetween(now.minusMinutes(1), now.plusMinutes(1));
        assertThat(received.getLockedUntil()).isBetween(now, now.plusMinutes(2));
    }

    @Test
    void time_to_live_is_kept_on_the_message() {
        ServiceBusMessage sent = Clients.message("m1").setTimeToLive(Duration.ofMinutes(5));
        clients.sender("orders").sendMessage(sent);
        assertThat(Clients.receiveOne(clients.receiver("orders")).getTimeToLive())
                .isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void an_entity_that_nobody_uses_deletes_itself() {
        bus.advance(Duration.ofMinutes(5));
        assertThatThrownBy(() -> bus.inspect("fleeting")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bus.inspect("events/Subscriptions/s")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_send_keeps_an_entity_from_deleting_itself() {
        bus.advance(Duration.ofMinutes(4));
        clients.sender("fleeting").sendMessage(Clients.message("m1"));
        bus.advance(Duration.ofMinutes(4));
        assertThat(bus.inspect("fleeting").active()).isEqualTo(1);
        bus.advance(Duration.ofMinutes(1));
        assertThatThrownBy(() -> bus.inspect("fleeting")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_receiver_keeps_an_entity_from_deleting_itself() {
        clients.sender("fleeting").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("fleeting");
        receiver.complete(Clients.receiveOne(receiver));
        bus.advance(Duration.ofMinutes(30));
        assertThat(bus.inspect("fleeting").receivers()).isEqualTo(1);
    }
}
