package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldState;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.DeliveryPolicy;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import dev.waybill.journey.JourneyEntry.Step;
import dev.waybill.journey.Journeys;
import dev.waybill.journey.SearchTerm;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * The message debit-42: refused, held, released too early, edited, released, delivered twice, dead-lettered,
 * collected, re-driven, handled and delivered once more. By the relay, the consumer and the collector.
 */
final class MuchTriedMessage {
    static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final AuditContext ADA = new AuditContext("ada", "smaller body");
    private static final HoldKey WALLET = HoldKey.session(HoldSide.OUTBOX, "payments", "wallet-7");

    private final AtomicBoolean mended = new AtomicBoolean();
    private final Handler ledger = (tx, message) -> {
        if (!mended.get() && message.id().equals("debit-42")) {
            throw new IllegalStateException("no such wallet");
        }
        return Verdict.done();
    };

    private final DataSource dataSource;
    private final SchemaName schema;
    private final DSLContext dsl;

    MuchTriedMessage(DataSource dataSource, SchemaName schema) {
        this.dataSource = dataSource;
        this.schema = schema;
        dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    void meetEverything(EmbeddedServiceBus bus) throws Exception {
        Supplier<ServiceBusClientBuilder> connections =
                () -> new ServiceBusClientBuilder().connectionString(bus.connectionString());
        var refusal = bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("payments")
                .message("debit-42")
                .then(FaultAction.reject(BrokerError.MESSAGE_SIZE_EXCEEDED));
        try (var relay = Relay.builder(dataSource)
                .schema(schema)
                .destination("payments")
                .retain("payments", Duration.ofDays(1))
                .publisher(ServiceBusPublisher.of(connections))
                .build()
                .start()) {
            append("wallet-7", "debit-42");
            append("wallet-7", "debit-43");
            relay.wake();
            Holds holds = Holds.ofOutbox(dataSource, schema);
            await().until(() -> isParked(holds, 1));
            holds.release(WALLET, new AuditContext("ada", "try again"));
            await().until(() -> isParked(holds, 2));
            refusal.cancel();
            holds.edit(
                    WALLET,
                    holds.messages(WALLET, 1).get(0).place(),
                    content -> content.withBody("25".getBytes(StandardCharsets.UTF_8)),
                    ADA);
            holds.release(WALLET, ADA);
            await().until(() -> holds.list().isEmpty());
            dieAndComeBack(bus, connections, relay);
        }
    }

    private static boolean isParked(Holds holds, int times) {
        return holds.show(WALLET)
                .filter(hold -> hold.state() == HoldState.PARKED && hold.messages() == 2)
                .filter(hold -> hold.timesParked() == times)
                .isPresent();
    }

    private void dieAndComeBack(EmbeddedServiceBus bus, Supplier<ServiceBusClientBuilder> connections, Relay relay)
            throws Exception {
        try (var consumer = InboxConsumer.builder(dataSource)
                .schema(schema)
                .name("ledger")
                .source(ServiceBusSource.ofQueue(connections, "payments"))
                .retries(new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(10), Duration.ZERO))
                .deliveries(new DeliveryPolicy(2, 10, 3))
                .handler(ledger)
                .build()
                .start()) {
            await().until(() -> bus.inspect("payments").deadLetters() == 1);
            collect(connections);
            mended.set(true);
            bus.faults().at(FaultPoint.DELIVERED).entity("payments").times(1).then(FaultAction.deliverTwice());
            Redrives.in(dataSource, schema)
                    .redrive(
                            DeadLetterFilter.open(),
                            RedriveRequest.toSource(),
                            new AuditContext("bob", "fixed in 1.2"));
            relay.wake();
            await().until(() -> events("duplicate") == 1);
            append("wallet-8", "plain");
            relay.wake();
            await().until(() -> Journeys.in(dataSource, schema).of(SearchTerm.message("plain"), 10).entries().stream()
                    .anyMatch(entry -> entry.step() == Step.HANDLED));
            assertThat(consumer.health().isHealthy()).isTrue();
        }
    }

    private void collect(Supplier<ServiceBusClientBuilder> connections) {
        var queue = ServiceBusDeadLetters.ofQueue(connections, "payments");
        try (var collector = DeadLetterCollector.start(dataSource, schema, List.of(queue))) {
            DeadLetters letters = DeadLetters.in(dataSource, schema);
            await().until(() -> letters.count(DeadLetterFilter.open()) == 1);
            assertThat(collector).isNotNull();
        }
    }

    private int events(String event) {
        return dsl.fetchCount(DSL.table(schema.table("message_event")), DSL.condition("event = {0}", DSL.val(event)));
    }

    void append(String session, String id) {
        Outbox outbox = Outbox.builder()
                .schema(schema)
                .traceContext(() -> Map.of("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01"))
                .build();
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                OutboxMessage.to("payments")
                        .session(session)
                        .id(id)
                        .text("two hundred and fifty")
                        .build()));
    }
}
