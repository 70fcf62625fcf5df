package dev.waybill.edges;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that no outbox has written, on a queue and on one with sessions, and what a handler has seen of them. */
abstract class ForeignMessages {
    @RegisterExtension
    static final WaybillExtension WAYBILL =
            WaybillExtension.with(bus -> bus.queue("orders").queue("sessions", QueueOptions::requiresSession));

    final List<String> handled = Collections.synchronizedList(new ArrayList<>());
    final Handler handler = (tx, message) -> {
        handled.add(message.id() + "=" + message.text());
        return Verdict.done();
    };
    private ServiceBusSenderClient orders;
    private ServiceBusSenderClient sessions;
    private String connectionString;

    @BeforeEach
    void open(TestWaybill waybill) {
        connectionString = waybill.connectionString();
        orders = client().sender().queueName("orders").buildClient();
        sessions = client().sender().queueName("sessions").buildClient();
    }

    @AfterEach
    void close() {
        orders.close();
        sessions.close();
    }

    final ServiceBusClientBuilder client() {
        return new ServiceBusClientBuilder().connectionString(connectionString);
    }

    final void send(ServiceBusMessage... messages) {
        for (ServiceBusMessage message : messages) {
            orders.sendMessage(message);
        }
    }

    final void sendTo(String session, ServiceBusMessage... messages) {
        for (ServiceBusMessage message : messages) {
            sessions.sendMessage(message.setSessionId(session));
        }
    }

    static ServiceBusMessage message(String id, String text) {
        return message(id, text.getBytes(StandardCharsets.UTF_8));
    }

    static ServiceBusMessage message(String id, byte[] body) {
        return new ServiceBusMessage(BinaryData.fromBytes(body)).setMessageId(id);
    }
}
