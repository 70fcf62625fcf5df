package dev.waybill.standalone.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import dev.waybill.inbox.tracing.ConsumerSpans;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.tracing.MessageSpans;
import dev.waybill.relay.Relay;
import dev.waybill.relay.tracing.SendSpans;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.standalone.Program;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A payment from the request that takes it to the message that its handler appends, through both brokers' queues. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class OneTraceTest {
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();

    @Test
    void one_trace_leads_from_the_request_through_relay_and_consumer_to_what_the_handler_appends(
            TestDatabase database) {
        var schema = Program.tables(database);
        DSLContext dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        Outbox outbox = Outbox.builder()
                .schema(schema)
                .traceContext(MessageSpans.of(telemetry))
                .build();
        ConsumerSpans spans = ConsumerSpans.of(telemetry);
        Handler ledger = (tx, message) -> {
            outbox.append(
                    tx,
                    OutboxMessage.to("receipts")
                            .session(message.session().orElseThrow())
                            .id("receipt-" + message.id())
                            .text("booked")
                            .build());
            return Verdict.done();
        };
        try (var bus = EmbeddedServiceBus.builder()
                .queue("payments", queue -> queue.requiresSession())
                .queue("receipts", queue -> queue.requiresSession())
                .start()) {
            Supplier<ServiceBusClientBuilder> connections =
                    () -> new ServiceBusClientBuilder().connectionString(bus.connectionString());
            try (var relay = Relay.builder(database.dataSource())
                            .schema(schema)
                            .destination("payments")
                            .destination("receipts")
                            .publisher(SendSpans.around(ServiceBusPublisher.of(connections), telemetry))
                            .build()
                            .start();
                    var consumer = InboxConsumer.builder(database.dataSource())
                            .schema(schema)
                            .name("ledger")
                            .source(ServiceBusSource.ofQueue(connections, "payments")
                                    .withSessions())
                            .handler(spans.around(ledger))
                            .listener(spans)
                            .build()
                            .start()) {
                request(dsl, outbox);
                relay.wake();
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() ->
                                assertThat(exporter.getFinishedSpanItems()).hasSize(7));
                assertThat(consumer).isNotNull();
            }
        }

        List<SpanData> trace = exporter.getFinishedSpanItems().stream()
                .sorted(Comparator.comparingLong(SpanData::getStartEpochNanos))
                .toList();
        Map<String, String> parents = parents(trace);
        assertThat(trace)
                .extracting(SpanData::getTraceId)
                .containsOnly(trace.get(0).getTraceId());
        assertThat(parents)
                .containsEntry("POST /payments", "")
                .containsEntry("create payments", "POST /payments")
                .containsEntry("send payments", "create payments")
                .containsEntry("process payments", "create payments")
                .containsEntry("create receipts", "process payments")
                .containsEntry("complete payments", "process payments")
                .containsEntry("send receipts", "create receipts");
        if (Boolean.getBoolean("waybill.docs.write")) {
            print(trace, parents);
        }
    }

    private void request(DSLContext dsl, Outbox outbox) {
        Tracer tracer = telemetry.getTracer("payments-api");
        Span request = tracer.spanBuilder("POST /payments").startSpan();
        try (Scope scope = request.makeCurrent()) {
            assertThat(scope).isNotNull();
            dsl.transaction(tx -> outbox.append(
                    tx.dsl(),
                    OutboxMessage.to("payments")
                            .session("wallet-7")
                            .id("debit-42")
                            .text("250")
                            .build()));
        } finally {
            request.end();
        }
    }

    private static Map<String, String> parents(List<SpanData> trace) {
        var names = new HashMap<String, String>();
        trace.forEach(span -> names.put(span.getSpanId(), span.getName()));
        var parents = new HashMap<String, String>();
        trace.forEach(span -> parents.put(span.getName(), names.getOrDefault(span.getParentSpanId(), "")));
        return parents;
    }

    // For docs/guides/tracing.md.
    private static void print(List<SpanData> trace, Map<String, String> parents) {
        long start = trace.get(0).getStartEpochNanos();
        var table = new StringBuilder("\ntrace " + trace.get(0).getTraceId() + "\n");
        for (SpanData span : trace) {
            table.append(String.format(
                    Locale.ROOT,
                    "| %7.1f | %6.1f | `%s` | %s | `%s` |%n",
                    (span.getStartEpochNanos() - start) / 1e6,
                    (span.getEndEpochNanos() - span.getStartEpochNanos()) / 1e6,
                    span.getName(),
                    span.getKind(),
                    parents.get(span.getName())));
        }
        System.out.println(table);
    }
}
