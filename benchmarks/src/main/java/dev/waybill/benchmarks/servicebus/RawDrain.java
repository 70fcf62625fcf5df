package dev.waybill.benchmarks.servicebus;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.message.WireContract;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Sends from memory what the relay sends from its table: the same messages in the same batches. Each message is
 * made when it is sent, as every sender has to.
 */
final class RawDrain {
    private static final int IN_FLIGHT = 32;

    private final OutboxSchema schema;
    private final Supplier<List<List<String>>> ids;
    private final byte[] payload = Backlog.payload();
    private List<List<Content>> batches = List.of();

    RawDrain(OutboxSchema schema, Supplier<List<List<String>>> ids) {
        this.schema = schema;
        this.ids = ids;
    }

    /** Messages per second. */
    double rate(Consumer<EmbeddedServiceBus> arrange) {
        if (batches.isEmpty()) {
            prepare();
        }
        int messages = batches.stream().mapToInt(List::size).sum();
        try (EmbeddedServiceBus bus = BenchQueue.start()) {
            arrange.accept(bus);
            var watch = Stopwatch.start();
            try (var sender = new RawSender(bus.connectionString(), Backlog.DESTINATION)) {
                sender.send(batches, IN_FLIGHT, this::message);
                double rate = watch.rate(messages);
                BenchQueue.requireStored(bus, messages);
                return rate;
            }
        }
    }

    private void prepare() {
        Map<String, String> sessions = schema.dsl()
                .select(DSL.field("message_id", SQLDataType.CLOB), DSL.field("session_id", SQLDataType.CLOB))
                .from(schema.table("outbox_message"))
                .fetchMap(row -> row.value1(), row -> row.value2());
        batches = ids.get().stream()
                .map(batch -> batch.stream()
                        .map(id -> new Content(id, sessions.getOrDefault(id, "")))
                        .toList())
                .toList();
    }

    private ServiceBusMessage message(Content content) {
        var message = new ServiceBusMessage(BinaryData.fromBytes(payload))
                .setMessageId(content.id)
                .setSessionId(content.session)
                .setSubject(Backlog.SUBJECT)
                .setContentType(Backlog.CONTENT_TYPE);
        message.getApplicationProperties().put(WireContract.LOGICAL_ID, content.id);
        return message;
    }

    /** The parts that differ from message to message. */
    private record Content(String id, String session) {}
}
