package dev.waybill.benchmarks.servicebus;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A new broker for each round: a queue full of dead letters, and an empty one to bring them to. */
final class DeadQueue {
    static final String SOURCE = "dead";
    static final String TARGET = Backlog.DESTINATION;

    private static final int JOURNAL_RECORDS = 1_000;
    private static final int BATCH = 100;
    private static final Duration LIFE = Duration.ofMinutes(1);

    private DeadQueue() {}

    /** All of them have outlived their time. */
    static EmbeddedServiceBus start(int messages) {
        EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                .journalLimit(JOURNAL_RECORDS)
                .queue(SOURCE, queue -> queue.timeToLive(LIFE).deadLetterOnExpiration())
                .queue(TARGET)
                .start();
        try (var sender = new RawSender(bus.connectionString(), SOURCE)) {
            sender.send(batches(messages), 8);
        }
        bus.advance(LIFE.plusSeconds(1));
        require(messages, bus.inspect(SOURCE).deadLetters(), "dead letters to begin with");
        return bus;
    }

    /** A rate counts only if everything has moved. */
    static void requireMoved(EmbeddedServiceBus bus, int messages) {
        require(messages, bus.inspect(TARGET).active(), "messages in the end");
        require(0, bus.inspect(SOURCE).deadLetters(), "dead letters in the end");
    }

    private static void require(long expected, long found, String name) {
        if (found != expected) {
            throw new IllegalStateException("The broker has " + found + " " + name + " instead of " + expected);
        }
    }

    private static List<List<ServiceBusMessage>> batches(int messages) {
        var batches = new ArrayList<List<ServiceBusMessage>>();
        for (int start = 0; start < messages; start += BATCH) {
            var batch = new ArrayList<ServiceBusMessage>();
            for (int i = start; i < Math.min(messages, start + BATCH); i++) {
                var message = new ServiceBusMessage(BinaryData.fromBytes(Backlog.payload()))
                        .setMessageId("m" + i)
                        .setSubject(Backlog.SUBJECT)
                        .setContentType(Backlog.CONTENT_TYPE);
                message.getApplicationProperties().put("n", (long) i);
                batch.add(message);
            }
            batches.add(batch);
        }
        return batches;
    }
}
