package dev.waybill.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.standalone.ConsolePage.Step;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.service.RelayService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Brings each situation about, runs the commands of its runbook in their order, and finds what the page says. */
@ExtendWith(PostgresExtension.class)
@Timeout(180)
class RunbookPagesTest {
    private static final Path RUNBOOKS = Path.of("../../docs/operations/runbooks");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private EmbeddedServiceBus bus;
    private Program program;
    private @Nullable RelayService relay;

    @BeforeEach
    void start_a_broker(TestDatabase database) {
        this.database = database;
        schema = Program.tables(database);
        bus = EmbeddedServiceBus.builder()
                .administrationPort(0)
                .queue(
                        "orders",
                        queue -> queue.requiresSession()
                                .duplicateDetection(Duration.ofMinutes(10))
                                .deadLetterOnExpiration()
                                .timeToLive(Duration.ofDays(14)))
                .start();
        program = Program.with(directory, configuration(database.server().jdbcUrl()));
    }

    @AfterEach
    void end() {
        if (relay != null) {
            relay.stop();
        }
        bus.close();
    }

    @Test
    @Tag("long")
    void the_broker_is_away() {
        startRelay(database.server().jdbcUrl());
        append("before");
        await().atMost(PATIENCE).until(() -> stored() == 1);
        bus.suspend();
        append("meanwhile");
        run("broker-away", "broker-away");

        bus.resume();
        run("broker-away", "broker-back");
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    @Tag("long")
    void the_database_is_away() throws Exception {
        String url = database.server().jdbcUrl();
        URI server = URI.create(url.substring("jdbc:".length()));
        try (TcpProxy proxy = TcpProxy.to(new InetSocketAddress(server.getHost(), server.getPort()))) {
            startRelay(url.replaceFirst("//[^/]+/", "//127.0.0.1:" + proxy.port() + "/"));
            append("before");
            await().atMost(PATIENCE).until(() -> stored() == 1);
            proxy.leadTo(portOfNobody());
            proxy.cut();
            for (Step step : marked("database-away", "database-away")) {
                Result result = program.run(ConsolePage.words(step.command()));
                assertThat(result.exitCode()).as(step.command()).isEqualTo(5);
                assertThat(result.out() + result.err())
                        .contains("database 'main' at")
                        .contains(":" + proxy.port());
            }

            proxy.leadTo(server.getPort());
            append("after");
            run("database-away", "database-back");
            await().atMost(PATIENCE).until(() -> stored() == 2);
        }
    }

    @Test
    void a_poison_message_is_held_and_given_up() {
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .message("debit-1")
                .then(FaultAction.reject(BrokerError.MESSAGE_SIZE_EXCEEDED));
        append("debit-1", "debit-2");
        startRelay(database.server().jdbcUrl());

        run("poison-message", "poison");

        await().atMost(PATIENCE).until(() -> stored() == 1);
    }

    @Test
    void a_session_stands_still_at_its_consumer_and_goes_on_in_order() {
        var mended = new AtomicBoolean();
        List<String> handled = new CopyOnWriteArrayList<>();
        append("debit-1", "debit-2");
        startRelay(database.server().jdbcUrl());
        try (InboxConsumer consumer = InboxConsumer.builder(database.dataSource())
                .schema(schema)
                .name("ledger")
                .source(ServiceBusSource.ofQueue(
                                () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()), "orders")
                        .withSessions())
                .handler((tx, message) -> {
                    if (!mended.get()) {
                        throw new IllegalStateException("a bug");
                    }
                    handled.add(message.id());
                    return Verdict.done();
                })
                .onFailure(OnFailure.HOLD_SESSION)
                .retries(new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(1)))
                .build()
                .start()) {
            assertThat(consumer.health().running()).isTrue();
            run("stuck-session", "stuck-session");
            mended.set(true);
            run("stuck-session", "stuck-session-mended");
        }
        assertThat(handled).containsExactly("debit-1", "debit-2");
    }

    @Test
    @Tag("long")
    void a_destination_refuses_everything_until_it_is_made_again() {
        startRelay(database.server().jdbcUrl());
        bus.delete("orders");
        append("debit-1");
        run("refused", "refused");

        bus.createQueue("orders", queue -> queue.requiresSession().duplicateDetection(Duration.ofMinutes(10)));
        run("refused", "refused-mended");
        assertThat(stored()).isEqualTo(1);
    }

    @Test
    void a_dead_letter_is_found_redriven_and_closed() {
        DSL.using(database.dataSource(), SQLDialect.POSTGRES).execute("""
                with m as (
                  insert into %1$s.dead_letter_message
                    (key, entity, sequence_number, enqueued_at, message_id, session_id, reason, payload)
                  values (gen_random_uuid(), 'orders', 1, clock_timestamp(), 'debit-1', 'w-7', 'InvalidOrder', '{}')
                  returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
                """.formatted(schema));
        startRelay(database.server().jdbcUrl());

        run("dead-letters-depth", "dead-letters");

        await().atMost(PATIENCE).until(() -> stored() == 1);
    }

    private void startRelay(String url) {
        program = Program.with(directory, configuration(url));
        relay = RelayService.start(
                Configuration.of(
                        new Sources(Map.of(), Map.of(), Map.of(), Optional.of(directory.resolve("waybill.yaml")))),
                publisher -> publisher);
    }

    private String configuration(String url) {
        return """
                instance: r1
                http: { port: 0 }
                relay: { lease-duration: 2s, send-deadline: 2s }
                database:
                  main: { url: "%s", schema: %s }
                namespace:
                  main:
                    tier: premium
                    connection-string: "%s"
                    administration-endpoint: "http://127.0.0.1:%d"
                destination:
                  orders: { sessions: true }
                """.formatted(url, schema, bus.connectionString(), bus.administrationPort());
    }

    // A verb that only looks is asked again, until what was done before has arrived.
    private void run(String page, String mark) {
        List<Step> steps = marked(page, mark);
        assertThat(steps).isNotEmpty();
        for (Step step : steps) {
            String[] words = ConsolePage.words(step.command());
            if (step.command().contains("--reason")) {
                assertPrinted(step, program.run(words));
            } else {
                await().atMost(PATIENCE).untilAsserted(() -> assertPrinted(step, program.run(words)));
            }
        }
    }

    private static List<Step> marked(String page, String mark) {
        return ConsolePage.steps(RUNBOOKS.resolve(page + ".md")).stream()
                .filter(step -> step.mark().equals(mark))
                .toList();
    }

    private static void assertPrinted(Step step, Result result) {
        assertThat(result.out()).as("%s: %s", step.command(), result.err()).matches(step.expected());
    }

    private void append(String... ids) {
        var outbox = Outbox.builder().schema(schema).build();
        for (String id : ids) {
            DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                    .transaction(tx -> outbox.append(
                            tx.dsl(),
                            OutboxMessage.to("orders")
                                    .session("w-7")
                                    .id(id)
                                    .text("250")
                                    .build()));
        }
    }

    private static int portOfNobody() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private int stored() {
        return bus.journal("orders").stored().size();
    }
}
