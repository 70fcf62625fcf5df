package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.waybill.servicebus.embedded.entity.EntitySnapshot;
import dev.waybill.servicebus.embedded.journal.Delivered;
import dev.waybill.servicebus.embedded.journal.Settled;
import dev.waybill.servicebus.embedded.journal.Settled.Outcome;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@EmbeddedOnly("is about what the embedded broker shows")
class InspectionTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .journalLimit(50)
                .queue("orders")
                .queue("wallet-tx", q -> q.requiresSession());
    }

    @Test
    void what_was_stored_is_told_with_its_properties() {
        ServiceBusMessage message = Clients.message("m1", "w1");
        message.getApplicationProperties().put("waybill-id", "logical");
        Instant before = Instant.now();
        clients.sender("wallet-tx").sendMessage(message);
        assertThat(bus.journal("wallet-tx").stored()).singleElement().satisfies(stored -> {
            assertThat(stored.sequenceNumber()).isEqualTo(1);
            assertThat(stored.messageId()).isEqualTo("m1");
            assertThat(stored.sessionId()).isEqualTo("w1");
            assertThat(stored.applicationProperties()).containsEntry("waybill-id", "logical");
            assertThat(stored.enqueuedTime())
                    .isBetween(before.minusMillis(1), Instant.now().plusMillis(1));
        });
    }

    @Test
    void every_delivery_and_every_settlement_is_told_in_order() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        receiver.abandon(Clients.receiveOne(receiver));
        receiver.complete(Clients.receiveOne(receiver));
        assertThat(bus.journal("orders").deliveries())
                .extracting(Delivered::deliveryCount)
                .containsExactly(0, 1);
        assertThat(bus.journal("orders").settlements())
                .extracting(Settled::outcome)
                .containsExactly(Outcome.ABANDONED, Outcome.COMPLETED);
    }

    @Test
    void locks_and_sessions_are_told_with_their_ends() {
        clients.sender("wallet-tx").sendMessages(List.of(Clients.message("a", "w1"), Clients.message("b", "w2")));
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        ServiceBusReceivedMessage held = Clients.receiveOne(session);
        session.setSessionState(new byte[7]);
        EntitySnapshot now = bus.inspect("wallet-tx");
        assertThat(now.locks()).singleElement().satisfies(lock -> {
            assertThat(lock.messageId()).isEqualTo(held.getMessageId());
            assertThat(lock.lockedUntil()).isAfter(Instant.now());
        });
        assertThat(now.sessions()).hasSize(2);
        assertThat(now.sessions().get(0).locked()).isTrue();
        assertThat(now.sessions().get(0).stateBytes()).isEqualTo(7);
        assertThat(now.sessions().get(1).locked()).isFalse();
    }

    @Test
    void a_full_journal_forgets_the_oldest_and_says_how_many() {
        List<ServiceBusMessage> messages = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            messages.add(Clients.message("m" + i));
        }
        clients.sender("orders").sendMessages(messages);
        assertThat(bus.journal("orders").stored())
                .hasSize(50)
                .first()
                .extracting(Stored::messageId)
                .isEqualTo("m10");
        assertThat(bus.journal("orders").forgotten()).isEqualTo(10);
        bus.journal("orders").clear();
        assertThat(bus.journal("orders").stored()).isEmpty();
        assertThat(bus.journal("orders").forgotten()).isZero();
    }

    @Test
    void an_entity_that_is_not_there_cannot_be_inspected() {
        assertThatThrownBy(() -> bus.inspect("missing")).hasMessageContaining("missing");
    }

    @Test
    void bytes_follow_the_messages() {
        clients.sender("orders").sendMessage(new ServiceBusMessage(new byte[1000]));
        assertThat(bus.inspect("orders").bytes()).isBetween(1000L, 1500L);
        Clients.receiveOne(clients.deletingReceiver("orders"));
        assertThat(bus.inspect("orders").bytes()).isZero();
    }

    @Test
    void time_cannot_go_back_or_beyond_what_can_be_reckoned() {
        assertThatThrownBy(() -> bus.advance(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bus.advance(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
