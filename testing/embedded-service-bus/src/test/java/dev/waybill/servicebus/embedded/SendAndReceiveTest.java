package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.servicebus.embedded.journal.Settled;
import org.junit.jupiter.api.Test;

class SendAndReceiveTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().queue("orders", q -> q.maxDeliveryCount(3));
    }

    @Test
    void a_message_sent_is_received_and_completed() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        ServiceBusReceivedMessage received = Clients.receiveOne(receiver);
        assertThat(received.getMessageId()).isEqualTo("m1");
        assertThat(received.getBody().toString()).isEqualTo("body of m1");
        assertThat(received.getDeliveryCount()).isZero();
        assertThat(received.getSequenceNumber()).isEqualTo(1);
        receiver.complete(received);
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void the_journal_tells_how_a_message_was_settled() {
        clients.sender("orders").sendMessage(Clients.message("m1"));
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        receiver.complete(Clients.receiveOne(receiver));
        assertThat(bus.journal("orders").settlements())
                .singleElement()
                .extracting(Settled::outcome)
                .isEqualTo(Settled.Outcome.COMPLETED);
    }

    @Test
    void a_batch_arrives_whole_and_in_order() {
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusMessageBatch batch = sender.createMessageBatch();
        for (int i = 0; i < 100; i++) {
            assertThat(batch.tryAddMessage(Clients.message("m" + i))).isTrue();
        }
        sender.sendMessages(batch);
        assertThat(bus.inspect("orders").active()).isEqualTo(100);
        assertThat(Clients.ids(Clients.receive(clients.deletingReceiver("orders"), 100)))
                .startsWith("m0", "m1", "m2")
                .endsWith("m98", "m99")
                .hasSize(100);
    }
}
