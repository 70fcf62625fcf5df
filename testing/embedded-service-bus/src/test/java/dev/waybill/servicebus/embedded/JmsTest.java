package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The AMQP client of Apache Qpid, by which users of JMS talk to Service Bus. */
@EmbeddedOnly("goes through another client library")
class JmsTest extends BusTest {
    private static final long WAIT_MILLIS = 20_000;

    private Connection connection;

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("orders", q -> q.maxDeliveryCount(3))
                .topic("events", t -> t.subscription("all"));
    }

    @BeforeEach
    void connect() throws JMSException {
        connection = new JmsConnectionFactory("amqp://127.0.0.1:" + bus.port()).createConnection("user", "password");
        connection.start();
    }

    @AfterEach
    void disconnect() throws JMSException {
        connection.close();
    }

    private static void send(Session session, String queue, String... texts) throws JMSException {
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        for (String text : texts) {
            TextMessage message = session.createTextMessage(text);
            message.setStringProperty("kind", "greeting");
            producer.send(message);
        }
        producer.close();
    }

    @Test
    void a_text_goes_from_one_jms_client_to_another() throws Exception {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        send(session, "orders", "hello");
        Message received = session.createConsumer(session.createQueue("orders")).receive(WAIT_MILLIS);

        assertThat(((TextMessage) received).getText()).isEqualTo("hello");
        assertThat(received.getStringProperty("kind")).isEqualTo("greeting");
        session.close();
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_text_goes_from_jms_to_the_azure_client_and_back() throws Exception {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        send(session, "orders", "to Azure's client");
        var receiver = clients.receiver("orders");
        ServiceBusReceivedMessage received = Clients.receiveOne(receiver);
        assertThat(received.getRawAmqpMessage().getBody().getValue()).isEqualTo("to Azure's client");
        assertThat(received.getApplicationProperties()).containsEntry("kind", "greeting");
        receiver.complete(received);
        receiver.close();

        clients.sender("orders").sendMessage(Clients.message("from Azure's client"));
        Message back = session.createConsumer(session.createQueue("orders")).receive(WAIT_MILLIS);
        assertThat(back.getJMSMessageID()).contains("from Azure's client");
    }

    @Test
    void what_is_sent_to_a_topic_is_received_from_its_subscription() throws Exception {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createTopic("events"));
        producer.send(session.createTextMessage("news"));
        MessageConsumer consumer = session.createConsumer(session.createQueue("events/Subscriptions/all"));

        assertThat(((TextMessage) consumer.receive(WAIT_MILLIS)).getText()).isEqualTo("news");
    }

    @Test
    void a_message_that_is_not_acknowledged_comes_again() throws Exception {
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        send(session, "orders", "again");
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        assertThat(consumer.receive(WAIT_MILLIS)).isNotNull();
        session.recover();
        Message again = consumer.receive(WAIT_MILLIS);

        assertThat(((TextMessage) again).getText()).isEqualTo("again");
        again.acknowledge();
        session.close();
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_transacted_session_sends_and_acknowledges_all_or_nothing() throws Exception {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        send(session, "orders", "rolled back");
        session.rollback();
        assertThat(bus.inspect("orders").active()).isZero();

        send(session, "orders", "kept", "kept too");
        session.commit();
        assertThat(bus.inspect("orders").active()).isEqualTo(2);

        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        List<Message> received = List.of(consumer.receive(WAIT_MILLIS), consumer.receive(WAIT_MILLIS));
        assertThat(received).hasSize(2);
        session.commit();
        session.close();
        assertThat(bus.inspect("orders").active()).isZero();
    }

    @Test
    void a_browser_shows_every_message_and_takes_none() throws Exception {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        send(session, "orders", "one", "two", "three");
        QueueBrowser browser = session.createBrowser(session.createQueue("orders"));
        List<String> seen = new ArrayList<>();
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            seen.add(((TextMessage) messages.nextElement()).getText());
        }
        browser.close();

        assertThat(seen).containsExactly("one", "two", "three");
        assertThat(bus.inspect("orders").active()).isEqualTo(3);
        assertThat(bus.inspect("orders").locked()).isZero();
        assertThat(bus.journal("orders").deliveries()).isEmpty();
    }

    @Test
    void a_queue_that_is_not_there_is_named() throws Exception {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        assertThatThrownBy(() -> session.createConsumer(session.createQueue("missing")))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("missing");
    }
}
