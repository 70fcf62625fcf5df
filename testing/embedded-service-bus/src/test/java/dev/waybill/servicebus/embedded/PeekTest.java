package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeekTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().queue("orders").queue("wallet-tx", q -> q.requiresSession());
    }

    @Test
    void peeking_takes_nothing_and_goes_on_where_it_stopped() {
        clients.sender("orders")
                .sendMessages(List.of(Clients.message("a"), Clients.message("b"), Clients.message("c")));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        assertThat(receiver.peekMessage().getMessageId()).isEqualTo("a");
        assertThat(receiver.peekMessage().getMessageId()).isEqualTo("b");
        assertThat(Clients.ids(receiver.peekMessages(10).stream().toList())).containsExactly("c");
        assertThat(bus.inspect("orders").active()).isEqualTo(3);
    }

    @Test
    void peeking_is_no_delivery() {
        clients.sender("orders").sendMessage(Clients.message("a"));
        clients.receiver("orders").peekMessage();
        assertThat(bus.journal("orders").deliveries()).isEmpty();
    }

    @Test
    void peeking_from_a_number_begins_there() {
        clients.sender("orders")
                .sendMessages(List.of(Clients.message("a"), Clients.message("b"), Clients.message("c")));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        assertThat(Clients.ids(receiver.peekMessages(10, 2).stream().toList())).containsExactly("b", "c");
    }

    @Test
    void peeking_an_empty_queue_brings_nothing() {
        assertThat(clients.receiver("orders").peekMessages(10).stream()).isEmpty();
    }

    @Test
    void locked_deferred_and_scheduled_messages_are_peeked_with_their_state() {
        clients.sender("orders").sendMessages(List.of(Clients.message("locked"), Clients.message("deferred")));
        clients.sender("orders")
                .scheduleMessage(
                        Clients.message("scheduled"),
                        OffsetDateTime.now(ZoneOffset.UTC).plus(Duration.ofHours(1)));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        List<ServiceBusReceivedMessage> both = Clients.receive(receiver, 2);
        receiver.defer(both.get(1));
        assertThat(clients.receiver("orders").peekMessages(10).stream())
                .extracting(m -> m.getMessageId() + " " + m.getState())
                .containsExactly(
                        "locked " + ServiceBusMessageState.ACTIVE,
                        "deferred " + ServiceBusMessageState.DEFERRED,
                        "scheduled " + ServiceBusMessageState.SCHEDULED);
    }

    @Test
    void a_session_peeks_its_own_messages() {
        clients.sender("wallet-tx")
                .sendMessages(
                        List.of(Clients.message("a", "w1"), Clients.message("x", "w2"), Clients.message("b", "w1")));
        ServiceBusReceiverClient session = clients.session("wallet-tx", "w1");
        assertThat(Clients.ids(session.peekMessages(10).stream().toList())).containsExactly("a", "b");
    }

    @Test
    void dead_letters_can_be_peeked() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        receiver.deadLetter(Clients.receiveOne(receiver));
        assertThat(clients.deadLetters("orders").peekMessage().getMessageId()).isEqualTo("m1");
        assertThat(bus.inspect("orders").deadLetters()).isEqualTo(1);
    }

    private static List<String> peekedPage(ServiceBusReceiverClient receiver) {
        return Clients.ids(receiver.peekMessages(1_000).stream().toList());
    }

    @Test
    void more_messages_than_one_answer_holds_are_peeked_page_by_page_until_all_have_come() {
        ServiceBusSenderClient sender = clients.sender("orders");
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            List<ServiceBusMessage> hundred = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                hundred.add(Clients.message("m" + i + "-" + j));
                sent.add("m" + i + "-" + j);
            }
            sender.sendMessages(hundred);
        }
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        List<String> first = peekedPage(receiver);
        assertThat(first).hasSize(250);
        List<String> all = new ArrayList<>(first);
        all.addAll(peekedPage(receiver));
        assertThat(all).isEqualTo(sent);
        assertThat(peekedPage(receiver)).isEmpty();
    }
}
