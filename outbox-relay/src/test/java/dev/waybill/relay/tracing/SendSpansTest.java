package dev.waybill.relay.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.Tracer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tracing that fails, as an exporter of the application's own or a library of another version may. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SendSpansTest {
    @ParameterizedTest
    @ValueSource(strings = {"spanBuilder", "startSpan", "setAttribute", "end"})
    void a_span_that_fails_keeps_no_message_back_and_sends_none_again(String failing, TestDatabase database) {
        var schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        var outbox = Outbox.builder().schema(schema).build();
        DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .transaction(tx -> outbox.append(
                        tx.dsl(),
                        OutboxMessage.to("orders")
                                .session("s")
                                .id("m1")
                                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                                .text("m1")
                                .build()));
        var broker = new Counting();
        try (Relay relay = Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .publisher(SendSpans.around(broker, telemetry(failing)))
                .build()) {
            assertThat(relay.publishCommitted()).isEqualTo(1);
            assertThat(relay.publishCommitted()).isZero();
        }

        assertThat(broker.arrived).containsExactly("m1");
    }

    private static OpenTelemetry telemetry(String failing) {
        return failing(OpenTelemetry.class, failing);
    }

    private static <T> T failing(Class<T> type, String failing) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, call, values) -> {
            if (call.getName().equals(failing)) {
                throw new NoSuchMethodError("planted");
            }
            for (Class<?> part : List.of(Tracer.class, Span.class, SpanBuilder.class)) {
                if (call.getReturnType() == part) {
                    return part == type ? self : failing(part, failing);
                }
            }
            return null;
        }));
    }

    private static final class Counting implements Publisher {
        private final List<String> arrived = new ArrayList<>();

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            shipment.rows().forEach(row -> arrived.add(row.messageId()));
            return CompletableFuture.completedFuture(
                    PublishResult.accepted(shipment.rows().size()));
        }

        @Override
        public void close() {}
    }
}
