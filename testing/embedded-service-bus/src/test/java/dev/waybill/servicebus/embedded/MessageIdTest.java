package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.message.Message;
import org.junit.jupiter.api.Test;

/** Every message has an id when it is received: Service Bus assigns one where the sender set none. */
class MessageIdTest extends NamespaceCase {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders")
                .queue("unique", q -> q.duplicateDetection(Duration.ofMinutes(10)))
                .topic("events", t -> t.subscription("a").subscription("b"));
    }

    private static ServiceBusMessage nameless(String body) {
        return new ServiceBusMessage(body);
    }

    @Test
    void messages_sent_without_an_id_get_one_each_and_keep_everything_else() {
        ServiceBusMessage sent = nameless("body").setSubject("subject").setCorrelationId("c");
        sent.getApplicationProperties().put("amount", 7);
        clients.sender("orders").sendMessages(List.of(sent, nameless("other")));

        List<ServiceBusReceivedMessage> received = Clients.receive(clients.receiver("orders"), 2);
        assertThat(Clients.ids(received))
                .doesNotHaveDuplicates()
                .allMatch(id -> id != null && id.matches("[0-9a-f]{32}"));
        ServiceBusReceivedMessage first = received.get(0);
        assertThat(first.getSubject()).isEqualTo("subject");
        assertThat(first.getCorrelationId()).isEqualTo("c");
        assertThat(first.getApplicationProperties()).containsEntry("amount", 7);
        assertThat(first.getBody().toString()).isEqualTo("body");
    }

    @Test
    void the_id_stays_the_same_across_deliveries() {
        clients.sender("orders").sendMessage(nameless("body"));
        var receiver = clients.receiver("orders");
        ServiceBusReceivedMessage first = Clients.receiveOne(receiver);
        receiver.abandon(first);

        assertThat(Clients.receiveOne(receiver).getMessageId()).isEqualTo(first.getMessageId());
    }

    @Test
    void an_id_that_the_sender_set_is_kept() {
        clients.sender("orders").sendMessage(Clients.message("mine"));
        assertThat(Clients.receiveOne(clients.receiver("orders")).getMessageId())
                .isEqualTo("mine");
    }

    @Test
    void a_scheduled_message_has_its_id_before_it_is_due_and_after() {
        ServiceBusSenderClient sender = clients.sender("orders");
        sender.scheduleMessage(
                nameless("body"), OffsetDateTime.now(ZoneOffset.UTC).plusMinutes(5));
        var receiver = clients.receiver("orders");
        String before = receiver.peekMessage().getMessageId();
        bus.advance(Duration.ofMinutes(6));

        assertThat(before).isNotEmpty();
        assertThat(Clients.receiveOne(receiver).getMessageId()).isEqualTo(before);
    }

    @Test
    void all_subscriptions_get_the_same_id() {
        clients.topicSender("events").sendMessage(nameless("body"));
        String id = Clients.receiveOne(clients.subscription("events", "a")).getMessageId();

        assertThat(id).isNotEmpty();
        assertThat(Clients.receiveOne(clients.subscription("events", "b")).getMessageId())
                .isEqualTo(id);
    }

    @Test
    void messages_without_ids_are_no_duplicates_of_each_other() {
        clients.sender("unique").sendMessages(List.of(nameless("a"), nameless("a")));
        assertThat(bus.inspect("unique").active()).isEqualTo(2);
    }

    @Test
    void a_message_that_is_only_a_body_gets_properties_and_keeps_its_header() {
        Message message = Message.Factory.create();
        message.setDurable(true);
        message.setPriority((short) 7);
        message.setTtl(600_000);
        message.setBody(new AmqpValue("body"));
        byte[] bytes = new byte[256];
        int size = message.encode(bytes, 0, bytes.length);
        RawClient raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
        assertThat(raw.sendBytes("orders", Arrays.copyOf(bytes, size))).isEqualTo("accepted");

        ServiceBusReceivedMessage received = Clients.receiveOne(clients.receiver("orders"));
        assertThat(received.getMessageId()).isNotEmpty();
        assertThat(received.getTimeToLive()).isEqualTo(Duration.ofMinutes(10));
        assertThat(received.getRawAmqpMessage().getHeader().isDurable()).isTrue();
        assertThat(received.getRawAmqpMessage().getHeader().getPriority()).isEqualTo((short) 7);
    }
}
