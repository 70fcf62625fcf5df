package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.azure.EmbeddedAdministrationPolicy;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.ProcessEnvironment;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.service.RelayService;
import dev.waybill.standalone.servicebus.Bus;
import dev.waybill.standalone.servicebus.Entities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Writers, two relays and consumers that go on, whatever is done to the entities. */
final class MigrationTraffic implements AutoCloseable {
    static final String DECLARED = "{ orders: { sessions: true }, notes: {} }";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SESSIONS = 6;

    final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .tier(Tier.PREMIUM)
            .administrationPort(0)
            .start();
    final ServiceBusAdministrationClient portal;
    final SchemaName schema;
    final DSLContext dsl;
    private final TestDatabase database;
    private final Path directory;
    private final Outbox outbox;
    private final String role;
    private final List<RelayService> relays = new ArrayList<>();
    private final List<InboxConsumer> consumers = new ArrayList<>();
    private final List<Thread> writers = new ArrayList<>();
    private final AtomicInteger notes = new AtomicInteger();
    private final List<AtomicInteger> orders = IntStream.range(0, SESSIONS)
            .mapToObj(session -> new AtomicInteger())
            .toList();
    private volatile boolean writing = true;
    private String otherDatabase = "";

    /** Two queues without the duplicate detection that is declared of them. */
    MigrationTraffic(TestDatabase database, Path directory) throws SQLException {
        this.database = database;
        this.directory = directory;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        outbox = Outbox.builder().schema(schema).build();
        role = schema.value() + "_relay";
        database.execute("create role " + role + " login");
        database.execute(Role.RELAY.grants(schema, role, Feature.all()));
        dsl.execute("create table if not exists " + schema.table("effect")
                + " (place bigserial, session text, number int, entity text)");
        portal = new ServiceBusAdministrationClientBuilder()
                .connectionString(bus.connectionString())
                .addPolicy(EmbeddedAdministrationPolicy.of(bus))
                .buildClient();
        portal.createQueue("orders", new CreateQueueOptions().setSessionRequired(true));
        portal.createQueue("notes", new CreateQueueOptions());
    }

    String configuration(String user, String destinations) {
        return """
                database: { main: { url: "%s", %s schema: %s }%s }
                namespace:
                  main:
                    tier: premium
                    connection-string: "%s"
                    administration-endpoint: "http://127.0.0.1:%d"
                destination: %s
                relay: { lease-duration: 2s, send-deadline: 3s }
                http: { port: 0, bind: 127.0.0.1 }
                """.formatted(
                        database.server().jdbcUrl().replaceAll("([?&])user=[^&]*&?", user.isEmpty() ? "$0" : "$1"),
                        user.isEmpty() ? "" : "user: " + user + ",",
                        schema.value(),
                        otherDatabase,
                        bus.connectionString(),
                        bus.administrationPort(),
                        destinations);
    }

    /** One more outbox that sends to the same entities. */
    SchemaName secondOutbox() {
        var other = new SchemaName(schema.value() + "_2");
        Migrations.of(database.dataSource(), other).apply(Feature.all());
        otherDatabase = ", other: { url: \"%s\", schema: %s }"
                .formatted(database.server().jdbcUrl(), other.value());
        return other;
    }

    Configuration read(String configuration) {
        try {
            Path file = Files.createTempFile(directory, "read", ".yaml");
            Files.writeString(file, configuration);
            var nothing = new ProcessEnvironment(Map.of(), Map.of());
            return Configuration.of(Sources.of(Map.of(), nothing, Optional.of(file)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    DataSource dataSource() {
        return database.dataSource();
    }

    Program program() {
        return program(DECLARED);
    }

    Program program(String destinations) {
        return Program.with(directory, configuration("", destinations));
    }

    Result migrate(String... arguments) {
        return migrateAs(DECLARED, arguments);
    }

    /** With another declaration. */
    Result migrateAs(String destinations, String... arguments) {
        var all = new ArrayList<>(List.of("topology", "migrate"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--yes", "--reason", "a test", "--by", "alice"));
        return program(destinations).run(all.toArray(String[]::new));
    }

    void relay(String name) {
        relays.add(
                RelayService.start(read("instance: " + name + "\n" + configuration(role, DECLARED)), sends -> sends));
    }

    ServiceBusClientBuilder clients() {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    void ledger(String queue) {
        consume("ledger", queue, ServiceBusSource.ofQueue(this::clients, queue).withSessions());
    }

    void reader(String queue) {
        consume("reader", queue, ServiceBusSource.ofQueue(this::clients, queue));
    }

    private void consume(String name, String queue, MessageSource source) {
        var consumer = InboxConsumer.builder(database.dataSource())
                .schema(schema)
                .name(name)
                .source(source)
                .handler((tx, message) -> {
                    tx.execute(
                            "insert into " + schema.table("effect") + " (session, number, entity) values (?, ?, ?)",
                            message.session().orElse("notes"),
                            Integer.parseInt(message.text()),
                            queue);
                    return Verdict.done();
                })
                .tuning(tuning -> tuning.sessionIdle(Duration.ofMillis(200)))
                .concurrency(4)
                .build()
                .start();
        consumers.add(consumer);
    }

    /** A migration that the test watches, to the path with -2. */
    Migration migration(String destinations, String destination, Migration.Progress progress) {
        Configuration configuration = read(configuration("", destinations));
        NamespaceSettings namespace = configuration.namespaces().get(0);
        var broker = new Bus(namespace);
        Entities entities = broker.entities();
        Move move = new Move.Search(configuration, any -> dataSource())
                .of(destination, Optional.empty(), Optional.empty(), entity -> destination + "-2");
        var wanted = new Migration.Orders(
                Set.of(), Duration.ofMinutes(1), Duration.ofSeconds(3), new AuditContext("alice", "a test"));
        var parts = new Migration.Bus(
                Declaration.of(configuration).get(0), entities, broker.writer(), broker.contents(entities));
        return new Migration(move, wanted, parts, progress, System::nanoTime);
    }

    /** One message, committed. */
    void append(String destination, String id) {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(), OutboxMessage.to(destination).id(id).text("1").build()));
    }

    long messages(String queue) {
        return portal.getQueueRuntimeProperties(queue).getTotalMessageCount();
    }

    /** Writers that go on until the end. */
    void write() {
        for (int session = 0; session < SESSIONS; session++) {
            int number = session;
            write("orders", orders.get(session), message -> message.session("s" + number), "s" + session);
        }
        write("notes", notes, message -> message, "note");
    }

    private void write(
            String destination, AtomicInteger count, UnaryOperator<OutboxMessage.Builder> session, String id) {
        var writer = new Thread(() -> {
            while (writing) {
                int number = count.get();
                OutboxMessage message = session.apply(OutboxMessage.to(destination)
                                .id(id + "-" + number)
                                .text(Integer.toString(number)))
                        .build();
                dsl.transaction(tx -> outbox.append(tx.dsl(), message));
                count.incrementAndGet();
                LockSupport.parkNanos(15_000_000);
            }
        });
        writers.add(writer);
        writer.start();
    }

    /** Waits until something new has had an effect at that queue. */
    void awaitEffectsOf(String queue) {
        int now = effects(queue);
        await().atMost(PATIENCE).until(() -> effects(queue) > now);
    }

    int effects(String queue) {
        return dsl.fetchSingle("select count(*) from " + schema.table("effect") + " where entity = ?", queue)
                .get(0, Integer.class);
    }

    /** Ends the writing, and looks whether every message had one effect, in the order of its session. */
    void requireAll() throws InterruptedException {
        writing = false;
        for (Thread writer : writers) {
            writer.join();
        }
        int all = notes.get() + orders.stream().mapToInt(AtomicInteger::get).sum();
        await().atMost(PATIENCE)
                .until(() -> dsl.fetchSingle("select count(*) from " + schema.table("effect"))
                                .get(0, Integer.class)
                        >= all);
        for (int session = 0; session < SESSIONS; session++) {
            assertThat(numbers("s" + session))
                    .isEqualTo(IntStream.range(0, orders.get(session).get())
                            .boxed()
                            .toList());
        }
        assertThat(numbers("notes"))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, notes.get()).boxed().toList());
    }

    private List<Integer> numbers(String session) {
        return dsl.fetch("select number from " + schema.table("effect") + " where session = ? order by place", session)
                .into(Integer.class);
    }

    /** The end of a process, which says nothing to anybody. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    @Override
    public void close() throws SQLException {
        writing = false;
        consumers.forEach(InboxConsumer::close);
        relays.forEach(RelayService::stop);
        dsl.execute("drop schema if exists " + schema.value() + "_2 cascade");
        bus.close();
        database.execute("drop owned by " + role + "; drop role " + role);
    }
}
