package dev.waybill.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.core.amqp.AmqpTransportType;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.Erasure;
import dev.waybill.deadletter.ErasureReport;
import dev.waybill.deadletter.ErasureRequest;
import dev.waybill.deadletter.RedrivePlan;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.deadletter.stuck.StuckMessages;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.Deferrals;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.IdempotencyKeys;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.Response;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import dev.waybill.inbox.tracing.ConsumerSpans;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.tracing.MessageSpans;
import dev.waybill.relay.Relay;
import dev.waybill.relay.tracing.SendSpans;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.azure.TestTokenCredential;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.security.AccessRight;
import dev.waybill.servicebus.embedded.security.TestTokens;
import dev.waybill.servicebus.embedded.security.TlsIdentity;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.spring.SpringTransactions;
import dev.waybill.standalone.replay.OutboxReplay;
import dev.waybill.standalone.replay.ReplaySelection;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import io.opentelemetry.api.OpenTelemetry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** The code of docs/guides, page by page. {@link DocumentationTest} compares the two. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GuidesTest {
    private static final String BOOK = "update wallet set cents = cents - 250 where id = 'w-7'";

    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(
                    bus -> bus.queue("wallet-tx", QueueOptions::requiresSession)
                            .queue("orders")
                            .queue("reminders")
                            .queue("shipping")
                            .topic("events", topic -> topic.subscription("audit")))
            .tables(
                    "create table debit (id text primary key, wallet text, cents bigint)",
                    "create table wallet (id text primary key, cents bigint not null)",
                    "insert into wallet values ('w-7', 1000)",
                    "create table invoice (id text primary key, paid boolean not null)");

    // embedding.md

    @Test
    void a_service_of_its_own(TestWaybill waybill, DataSource dataSource) throws SQLException {
        String connectionString = waybill.connectionString();

        Outbox outbox = Outbox.of(dataSource);
        outbox.inTransaction(
                tx -> { // jOOQ's DSLContext
                    tx.execute("insert into debit values ('tx-1', 'w-7', 250)");
                    outbox.append(tx, debit("debit-tx-1"));
                });
        outbox.inJdbcTransaction(
                tx -> { // a java.sql.Connection
                    insertDebit(tx, "tx-2");
                    outbox.append(tx, debit("debit-tx-2"));
                });

        waybill.appended().hasIds("debit-tx-1", "debit-tx-2");
        try (Relay relay = relay(dataSource, connectionString);
                InboxConsumer consumer = consumer(dataSource, connectionString)) {
            await().untilAsserted(() -> assertThat(balance(dataSource)).isEqualTo(500));
            assertThat(consumer.health().isHealthy()).isTrue();
            relay.wake();
        }
    }

    private static Relay relay(DataSource dataSource, String connectionString) {
        Relay relay = Relay.builder(dataSource)
                .destination("wallet-tx")
                .publisher(ServiceBusPublisher.of(connectionString))
                .start();
        return relay;
    }

    // consumers.md
    private static InboxConsumer consumer(DataSource dataSource, String connectionString) {
        InboxConsumer consumer = InboxConsumer.builder(dataSource)
                .name("ledger")
                .source(ServiceBusSource.ofQueue(connectionString, "wallet-tx").withSessions())
                .handler((tx, message) -> {
                    tx.execute("update wallet set cents = cents - 250 where id = 'w-7'");
                    return Verdict.done();
                })
                .start();
        return consumer;
    }

    private static OutboxMessage debit(String id) {
        return OutboxMessage.to("wallet-tx")
                .session("w-7")
                .id(id)
                .json("{\"cents\": 250}")
                .build();
    }

    private static void insertDebit(Connection tx, String id) throws SQLException {
        try (Statement statement = tx.createStatement()) {
            statement.executeUpdate("insert into debit values ('" + id + "', 'w-7', 250)");
        }
    }

    @Test
    void a_service_that_runs_a_relay_links_it_to_its_outbox(TestWaybill waybill, DataSource dataSource) {
        String connectionString = waybill.connectionString();

        Relay relay = Relay.builder(dataSource)
                .destination("orders")
                .publisher(ServiceBusPublisher.of(connectionString))
                .tuning(tuning -> tuning.batchRows(500))
                .start();
        Outbox outbox = Outbox.builder(dataSource).relay(relay).build();

        try (relay) {
            outbox.inTransaction(tx -> outbox.append(tx, order("o-1")));
            await().untilAsserted(() -> waybill.published("orders").hasIds("o-1"));
        }
    }

    private static OutboxMessage order(String id) {
        return OutboxMessage.to("orders").id(id).text(id).build();
    }

    // consumers.md

    @Test
    void a_handler_on_the_plain_connection(TestWaybill waybill, DataSource dataSource) throws Exception {
        waybill.transaction(tx -> waybill.outbox().append(tx, debit("debit-tx-1")));
        waybill.publish();
        InboxConsumer.Builder builder = InboxConsumer.builder(dataSource)
                .name("ledger")
                .source(ServiceBusSource.ofQueue(waybill.connectionString(), "wallet-tx")
                        .withSessions());

        builder.jdbcHandler((connection, message) -> {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("update wallet set cents = cents - 250 where id = 'w-7'");
            }
            return Verdict.done();
        });
        builder.tuning(tuning -> tuning.readAhead(0).sessionIdle(Duration.ofMillis(200)));

        try (InboxConsumer consumer = builder.start()) {
            await().untilAsserted(() -> assertThat(balance(dataSource)).isEqualTo(750));
            assertThat(consumer.health().hanging()).isEmpty();
        }
    }

    // own-transactions.md

    @Test
    void a_consumer_in_transactions_of_spring_without_boot(TestWaybill waybill, DataSource dataSource)
            throws Exception {
        waybill.transaction(tx -> waybill.outbox().append(tx, debit("debit-tx-1")));
        waybill.publish();
        PlatformTransactionManager manager = new DataSourceTransactionManager(dataSource);
        Handler handler = (tx, message) -> {
            tx.execute(BOOK);
            return Verdict.done();
        };
        var source = ServiceBusSource.ofQueue(waybill.connectionString(), "wallet-tx")
                .withSessions();

        InboxConsumer consumer = InboxConsumer.builder(dataSource)
                .name("ledger")
                .source(source)
                .transactions(SpringTransactions.of(manager, dataSource))
                .handler(handler)
                .start();

        try (consumer) {
            await().untilAsserted(() -> assertThat(balance(dataSource)).isEqualTo(750));
        }
    }

    // deferral.md

    @Test
    void a_message_waits_for_a_payment(TestWaybill waybill, DataSource dataSource) throws Exception {
        SchemaName schema = waybill.schema();
        Outbox outbox = Outbox.of(dataSource);
        outbox.inTransaction(tx -> {
            tx.execute("insert into invoice values ('i-1', false)");
            outbox.append(
                    tx, OutboxMessage.to("shipping").id("ship-i-1").text("i-1").build());
        });
        waybill.publish();

        Handler shipping =
                (tx, message) -> isPaid(tx, message.text()) ? Verdict.done() : Verdict.defer("paid-" + message.text());

        var consumer = waybill.consumer("shipping", "shipping", shipping);
        consumer.handleAll();
        waybill.handled("shipping").isEmpty();

        outbox.inTransaction(tx -> {
            tx.execute("update invoice set paid = true where id = 'i-1'");
            Deferrals.in(schema).resume(tx, "shipping", "paid-i-1");
        });

        consumer.handleAll();
        waybill.handled("shipping").hasIds("ship-i-1");
    }

    private static boolean isPaid(DSLContext tx, String invoice) {
        return Boolean.TRUE.equals(
                tx.fetchSingle("select paid from invoice where id = ?", invoice).get(0, Boolean.class));
    }

    // idempotency-keys.md

    @Test
    void a_request_that_comes_twice_is_done_once(TestWaybill waybill, DataSource dataSource) {
        SchemaName schema = waybill.schema();
        Outbox outbox = Outbox.of(dataSource);
        String idempotencyKey = "7f1c";
        byte[] requestBody = utf8("{\"cents\": 5}");
        byte[] answer = utf8("{}");

        IdempotencyKeys keys = IdempotencyKeys.of(schema, "POST /debits").keepFor(Duration.ofDays(7));

        Response response = outbox.inTransactionResult(tx -> keys.once(tx, idempotencyKey, requestBody, () -> {
            tx.execute("update wallet set cents = cents - 5 where id = 'w-7'");
            return new Response(201, "application/json", answer);
        }));

        assertThat(response.status()).isEqualTo(201);
        Response again = outbox.inTransactionResult(tx -> keys.once(tx, idempotencyKey, requestBody, () -> {
            throw new AssertionError("done twice");
        }));
        assertThat(again.body()).isEqualTo(answer);
        assertThat(balance(dataSource)).isEqualTo(995);
    }

    // scheduling.md

    @Test
    void a_message_for_later_is_taken_back(TestWaybill waybill, DataSource dataSource) {
        Outbox outbox = Outbox.of(dataSource);
        Instant dueAt = Instant.now().plus(Duration.ofDays(14));

        outbox.inTransaction(tx -> {
            tx.execute("insert into invoice values ('i-1', false)");
            outbox.append(
                    tx,
                    OutboxMessage.to("reminders")
                            .id("reminder-i-1")
                            .text("i-1")
                            .notBefore(dueAt)
                            .build());
        });
        waybill.scheduled().hasIds("reminder-i-1");

        boolean inTime = outbox.inTransactionResult(tx -> {
            tx.execute("update invoice set paid = true where id = 'i-1'");
            return outbox.cancel(tx, "reminders", "reminder-i-1");
        });

        assertThat(inTime).isTrue();
        waybill.scheduled().isEmpty();
    }

    // dead-letters.md, redrive.md, erasure.md

    @Test
    void a_dead_letter_is_collected_redriven_and_erased(TestWaybill waybill, DataSource dataSource) throws Exception {
        SchemaName schema = waybill.schema();
        Supplier<ServiceBusClientBuilder> serviceBus =
                () -> new ServiceBusClientBuilder().connectionString(waybill.connectionString());
        waybill.transaction(tx -> waybill.outbox().append(tx, order("o-1")));
        waybill.publish();
        waybill.consumer("stock", "orders", (tx, message) -> Verdict.deadLetter("OutOfStock", "none"))
                .handleAll();

        DeadLetterCollector collector = DeadLetterCollector.start(
                dataSource,
                schema,
                List.of(
                        ServiceBusDeadLetters.ofQueue(serviceBus, "orders"),
                        ServiceBusDeadLetters.ofSubscription(serviceBus, "events", "audit"),
                        ServiceBusDeadLetters.ofQueue(serviceBus, "orders").transfers()));

        DeadLetters deadLetters = DeadLetters.in(dataSource, schema);
        await().untilAsserted(() ->
                assertThat(deadLetters.count(DeadLetterFilter.open())).isOne());
        collector.close();
        deadLetters.groups(
                DeadLetterFilter.open(), DeadLetterGroup.By.ENTITY, DeadLetterGroup.By.REASON); // count, ages
        deadLetters.list(DeadLetterFilter.open().entity("orders").exceptionType("TimeoutException"), 0, 50);

        redrive(dataSource, schema);
        waybill.publish();
        waybill.consumer("stock", "orders", (tx, message) -> Verdict.done())
                .handleAll()
                .hasIds("o-1");
        erase(dataSource, schema);
        assertThat(deadLetters.count(DeadLetterFilter.everything())).isZero();
    }

    private static void redrive(DataSource dataSource, SchemaName schema) throws InterruptedException {
        DeadLetterFilter filter = DeadLetterFilter.open().entity("orders");

        Redrives redrives = Redrives.in(dataSource, schema);
        RedrivePlan plan = redrives.plan(filter, RedriveRequest.toSource()); // dry run
        var by = new AuditContext("ada", "the stock is back");
        long run =
                redrives.begin(filter, RedriveRequest.toSource().withCanary(10).withRate(50), by);
        redrives.finish(run); // stops after the canary
        redrives.resume(run, by);
        redrives.finish(run);

        assertThat(plan).isNotNull();
    }

    private static void erase(DataSource dataSource, SchemaName schema) {
        var by = new AuditContext("ada", "request 412");

        Erasure erasure = Erasure.in(dataSource, schema); // grants: Role.ERASER
        erasure.preview(ErasureRequest.message("o-1")); // removes nothing
        ErasureReport report = erasure.erase(ErasureRequest.message("o-1"), by);
        report.removed(); // {DEAD_LETTERS=1}
        report.remaining(); // {PENDING=1}: still on its way, if there is such a message

        assertThat(report.remaining()).isEmpty();
    }

    // consumers.md

    @Test
    void a_held_message_is_mended_and_its_session_released(TestWaybill waybill, DataSource dataSource) {
        SchemaName schema = waybill.schema();
        var by = new AuditContext("ada", "the sender's typo");
        byte[] mended = "250".getBytes(StandardCharsets.UTF_8);
        Outbox outbox = Outbox.of(dataSource);
        outbox.inTransaction(tx -> outbox.append(
                tx,
                OutboxMessage.to("wallet-tx")
                        .session("w-7")
                        .id("tx-1")
                        .text("25O")
                        .build()));
        waybill.publish();
        Handler strict = (tx, message) -> {
            Integer.parseInt(message.text());
            return Verdict.done();
        };
        try (var consumer = InboxConsumer.builder(dataSource)
                .name("strict")
                .source(ServiceBusSource.ofQueue(waybill.connectionString(), "wallet-tx")
                        .withSessions())
                .onFailure(OnFailure.HOLD_SESSION)
                .retries(new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(10), Duration.ZERO))
                .handler(strict)
                .start()) {
            assertThat(consumer.health().isHealthy()).isTrue();
            await().until(() -> !waybill.held().list().isEmpty());
            release(dataSource, schema, mended, by);
            await().untilAsserted(() -> waybill.handled("strict").hasIds("tx-1"));
        }
    }

    private static void release(DataSource dataSource, SchemaName schema, byte[] mended, AuditContext by) {
        Holds holds = InboxHolds.in(dataSource, schema); // dev.waybill.hold, dev.waybill.inbox
        for (Hold hold : holds.list()) {
            HeldMessage failed = holds.messages(hold.key(), 1).get(0);
            holds.edit(hold.key(), failed.place(), content -> content.withBody(mended), by); // or skip it
            holds.release(hold.key(), by);
        }
    }

    // redrive.md

    @Test
    void what_is_held_is_seen_with_dead_letters(TestWaybill waybill, DataSource dataSource) {
        SchemaName schema = waybill.schema();
        var by = new AuditContext("ada", "the limit is higher now");

        StuckMessages stuck = StuckMessages.in(dataSource, schema, InboxHolds.in(dataSource, schema));
        stuck.list(); // dead letters, holds of outbox and inbox, by scope, reason and state
        HoldFilter filter =
                HoldFilter.parked().side(HoldSide.OUTBOX).scope("orders").reason("TooLarge");
        stuck.plan(filter); // dry run: holds, messages, busy
        stuck.redrive(filter, by);

        assertThat(stuck.list()).isEmpty();
    }

    // replay.md

    @Test
    void what_was_published_is_replayed(TestWaybill waybill, DataSource dataSource) {
        SchemaName schema = waybill.schema();
        String connectionString = waybill.connectionString();
        Outbox outbox = Outbox.of(dataSource);
        outbox.inTransaction(tx -> outbox.append(tx, order("o-1")));

        Relay relay = Relay.builder(dataSource)
                .destination("orders")
                .retain("orders", Duration.ofDays(2))
                .publisher(ServiceBusPublisher.of(connectionString))
                .start();

        await().untilAsserted(() -> waybill.appended().isEmpty());
        relay.close();
        OutboxReplay replay = OutboxReplay.of(dataSource, schema);
        ReplaySelection lost = ReplaySelection.of("orders").from(Instant.parse("2026-03-01T06:00:00Z"));
        replay.count(lost); // published, pending, sessions, missing bodies, first and last sequence value
        replay.finish(replay.begin(lost, "the ledger was restored"));

        waybill.appended().hasIds("o-1");
    }

    // large-bodies.md

    @Test
    void a_large_body_is_kept_outside_its_message(TestWaybill waybill, DataSource dataSource) {
        SchemaName schema = waybill.schema();
        String connectionString = waybill.connectionString();
        ServiceBusPublisher publisher = ServiceBusPublisher.of(connectionString);

        ClaimStore store = ClaimStore.inPostgres(schema);
        Outbox outbox = Outbox.builder(dataSource)
                .claims(store)
                .destination(Destination.of("orders").withClaimsAbove(200_000)) // bytes, after the codec
                .build();
        Relay.Builder relay = Relay.builder(dataSource)
                .destination("orders")
                .publisher(publisher)
                .claims(store, Duration.ofDays(30)); // removes bodies 30 days after publication
        InboxConsumer.Builder consumer =
                InboxConsumer.builder(dataSource).name("stock").claims(store); // handlers find the body in the message

        String large = "x".repeat(300_000);
        outbox.inTransaction(tx -> outbox.append(
                tx, OutboxMessage.to("orders").id("o-1").text(large).build()));
        try (Relay running = relay.start();
                InboxConsumer handling = consumer.source(ServiceBusSource.ofQueue(connectionString, "orders"))
                        .handler((tx, message) -> message.text().equals(large)
                                ? Verdict.done()
                                : Verdict.deadLetter("Body", "another body"))
                        .start()) {
            await().untilAsserted(() -> waybill.handled("stock").hasIds("o-1"));
            running.wake();
            assertThat(handling.health().isHealthy()).isTrue();
        }
    }

    // tracing.md

    @Test
    void spans_are_made_around_append_send_and_handler(TestWaybill waybill, DataSource dataSource) {
        OpenTelemetry openTelemetry = OpenTelemetry.noop();
        String connectionString = waybill.connectionString();
        Handler handler = (tx, message) -> Verdict.done();

        Outbox outbox = Outbox.builder(dataSource)
                .traceContext(MessageSpans.of(openTelemetry))
                .build();
        SendSpans publisher = SendSpans.around(ServiceBusPublisher.of(connectionString), openTelemetry);
        ConsumerSpans spans = ConsumerSpans.of(openTelemetry);
        InboxConsumer.Builder consumer =
                InboxConsumer.builder(dataSource).handler(spans.around(handler)).listener(spans);

        outbox.inTransaction(tx -> outbox.append(tx, order("o-1")));
        try (Relay relay = Relay.builder(dataSource)
                        .destination("orders")
                        .publisher(publisher)
                        .start();
                InboxConsumer handling = consumer.name("stock")
                        .source(ServiceBusSource.ofQueue(connectionString, "orders"))
                        .start()) {
            await().untilAsserted(() -> waybill.handled("stock").hasIds("o-1"));
            relay.wake();
            assertThat(handling.health().isHealthy()).isTrue();
        }
    }

    // embedded-service-bus.md

    @Test
    void a_broker_in_the_tests_process() {
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                .queue("orders", q -> q.requiresSession().duplicateDetection(Duration.ofMinutes(10)))
                .topic("events", t -> t.subscription("big", s -> s.sqlRule("big", "amount > 100")))
                .start()) {
            ServiceBusSenderClient sender = new ServiceBusClientBuilder()
                    .connectionString(bus.connectionString())
                    .sender()
                    .queueName("orders")
                    .buildClient();
            sender.sendMessage(new ServiceBusMessage("x").setSessionId("o-1"));
        }
    }

    @Test
    void a_broker_that_loses_an_acknowledgement(TestWaybill waybill) throws InterruptedException {
        EmbeddedServiceBus bus = waybill.bus();
        ServiceBusSenderClient sender = new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .sender()
                .queueName("orders")
                .buildClient();

        FaultHandle lost = bus.faults()
                .at(FaultPoint.STORED_BEFORE_ACK)
                .entity("orders")
                .times(1)
                .then(FaultAction.dropConnection());
        sender.sendMessage(new ServiceBusMessage("x").setMessageId("o-1")); // the client sends again
        lost.awaitHits(1, Duration.ofSeconds(10));
        bus.advance(Duration.ofMinutes(5)); // locks, times to live and schedules end

        assertThat(bus.journal("orders").stored()).hasSize(2);
        sender.close();
    }

    @Test
    @SuppressWarnings("try") // The page shows the certificate as trusted while the block runs.
    void a_broker_with_tls_keys_and_tokens() {
        TestTokens tokens = TestTokens.create();
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                        .queue("orders")
                        .accessKey("sender", "c2VjcmV0", AccessRight.SEND)
                        .testTokens(tokens)
                        .tls()
                        .start();
                TlsIdentity.Trusted trusted = bus.tlsIdentity().trustInThisProcess()) {
            var receiver = new ServiceBusClientBuilder()
                    .credential("localhost", TestTokenCredential.of(tokens, AccessRight.LISTEN))
                    .customEndpointAddress("https://localhost:" + bus.port())
                    .transportType(AmqpTransportType.AMQP_WEB_SOCKETS)
                    .receiver()
                    .queueName("orders")
                    .buildClient();
            receiver.peekMessage();
        }
    }

    private static long balance(DataSource dataSource) {
        return DSL.using(dataSource, SQLDialect.POSTGRES)
                .fetchSingle("select cents from wallet where id = 'w-7'")
                .get(0, Long.class);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
