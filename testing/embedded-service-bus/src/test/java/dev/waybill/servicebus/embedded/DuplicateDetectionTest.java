package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.servicebus.embedded.journal.DroppedDuplicate;
import dev.waybill.servicebus.embedded.journal.Stored;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DuplicateDetectionTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders", q -> q.duplicateDetection(Duration.ofMinutes(10)))
                .queue("wallet-tx", q -> q.requiresSession().duplicateDetection(Duration.ofMinutes(10)))
                .queue("careless");
    }

    @Test
    void a_repeated_id_is_acknowledged_and_not_stored() {
        ServiceBusSenderClient sender = clients.sender("orders");
        sender.sendMessage(Clients.message("m1"));
        sender.sendMessage(Clients.message("m1"));
        assertThat(bus.ids("orders")).containsExactly("m1");
    }

    @Test
    void the_journal_tells_of_what_was_dropped() {
        ServiceBusSenderClient sender = clients.sender("orders");
        sender.sendMessage(Clients.message("m1"));
        sender.sendMessage(Clients.message("m1"));
        assertThat(bus.journal("orders").stored()).extracting(Stored::messageId).containsExactly("m1");
        assertThat(bus.journal("orders").duplicates())
                .extracting(DroppedDuplicate::messageId)
                .containsExactly("m1");
    }

    @Test
    void an_id_is_forgotten_after_the_window() {
        ServiceBusSenderClient sender = clients.sender("orders");
        sender.sendMessage(Clients.message("m1"));
        bus.advance(Duration.ofMinutes(9));
        sender.sendMessage(Clients.message("m1"));
        bus.advance(Duration.ofMinutes(1));
        sender.sendMessage(Clients.message("m1"));
        assertThat(bus.journal("orders").stored()).hasSize(2);
        assertThat(bus.journal("orders").duplicates()).hasSize(1);
    }

    @Test
    void an_id_is_remembered_after_its_message_was_completed() {
        ServiceBusSenderClient sender = clients.sender("orders");
        sender.sendMessage(Clients.message("m1"));
        Clients.receiveOne(clients.deletingReceiver("orders"));
        sender.sendMessage(Clients.message("m1"));
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_duplicate_inside_a_batch_is_dropped_and_the_rest_is_stored() {
        clients.sender("orders")
                .sendMessages(List.of(Clients.message("a"), Clients.message("b"), Clients.message("a")));
        assertThat(bus.ids("orders")).containsExactly("a", "b");
    }

    @Test
    void detection_looks_across_the_sessions_of_an_entity() {
        ServiceBusSenderClient sender = clients.sender("wallet-tx");
        sender.sendMessage(Clients.message("m1", "w1"));
        sender.sendMessage(Clients.message("m1", "w2"));
        assertThat(bus.ids("wallet-tx")).containsExactly("m1");
    }

    @Test
    void without_detection_every_send_is_stored() {
        ServiceBusSenderClient sender = clients.sender("careless");
        sender.sendMessage(Clients.message("m1"));
        sender.sendMessage(Clients.message("m1"));
        assertThat(bus.ids("careless")).containsExactly("m1", "m1");
    }
}
