package dev.waybill.benchmarks.servicebus;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.message.WireContract;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.util.ArrayList;
import java.util.List;

/** Messages of 1 KiB that wait in sessions, the same number in each. */
record SessionLoad(int sessions, int perSession) {
    private static final int BATCH = 100;
    private static final int IN_FLIGHT = 8;

    /** Deliveries of a message, as long as the journal has each of them. */
    private static final int MOST_DELIVERIES = 20;

    int messages() {
        return sessions * perSession;
    }

    /** A new broker with all of them in its queue. */
    EmbeddedServiceBus start() {
        return fill(BenchQueue.start());
    }

    /** The same with a journal that has each delivery. */
    EmbeddedServiceBus startCounting() {
        return fill(BenchQueue.start(MOST_DELIVERIES * messages()));
    }

    private EmbeddedServiceBus fill(EmbeddedServiceBus bus) {
        try (var sender = new RawSender(bus.connectionString(), Backlog.DESTINATION)) {
            sender.send(batches(), IN_FLIGHT);
            BenchQueue.requireStored(bus, messages());
            return bus;
        } catch (RuntimeException e) {
            bus.close();
            throw e;
        }
    }

    private List<List<ServiceBusMessage>> batches() {
        var payload = BinaryData.fromBytes(Backlog.payload());
        var batches = new ArrayList<List<ServiceBusMessage>>();
        for (int n = 0; n < messages(); n++) {
            if (n % BATCH == 0) {
                batches.add(new ArrayList<>());
            }
            batches.get(batches.size() - 1).add(message(n, payload));
        }
        return batches;
    }

    private ServiceBusMessage message(int n, BinaryData payload) {
        String id = "debit-" + n;
        var message = new ServiceBusMessage(payload)
                .setMessageId(id)
                .setSessionId("account-" + n % sessions)
                .setSubject(Backlog.SUBJECT)
                .setContentType(Backlog.CONTENT_TYPE);
        message.getApplicationProperties().put(WireContract.LOGICAL_ID, id);
        return message;
    }
}
