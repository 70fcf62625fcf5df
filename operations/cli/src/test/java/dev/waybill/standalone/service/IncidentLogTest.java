package dev.waybill.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.embedded.postgres.PostgresNode;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.standalone.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The log of a relay process through what goes wrong in a life: each incident can be found by the first line and the end that
 * docs/operations/log.md gives, and all of them together take little room. With {@code -Dwaybill.incidents.minutes=30} each of
 * them lasts longer, and the run so long.
 */
class IncidentLogTest {
    private static final String SCHEMA = "waybill";
    private static final int MINUTES = Integer.getInteger("waybill.incidents.minutes", 0);

    /** The room that the eleven of them and a start may take; most of it goes to the lines of the start. */
    private static final long MOST_BYTES = 60 << 10;

    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue("orders", IncidentLogTest::orders)
            .start();
    private final PostgresNode postgres = PostgresNode.start();
    private final TcpProxy network = TcpProxy.to(postgres.port());
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Set<String> done = new LinkedHashSet<>();

    @TempDir
    private Path directory;

    private Process relay;
    private Process other;
    private Thread writer;
    private Incidents incidents;
    private Incidents.Log log;

    private static QueueOptions orders(QueueOptions queue) {
        return queue.requiresSession().duplicateDetection(Duration.ofMinutes(10));
    }

    @BeforeEach
    void start() throws Exception {
        incidents = new Incidents(Path.of("../../docs/operations/log.md"));
        postgres.execute("create role waybill login");
        postgres.execute("grant create on database postgres to waybill");
        try (var pool = PostgresServer.pool(url(postgres.port()), 3)) {
            Migrations.of(pool, new SchemaName(SCHEMA)).apply(Feature.all());
        }
        Program program =
                Program.with(directory, """
                database: { main: { url: "%s&socketTimeout=2&connectTimeout=2", schema: %s } }
                namespace: { main: { connection-string: "%s" } }
                destination: { orders: { sessions: true } }
                relay: { lease-duration: 2s, send-deadline: 2s }
                http: { port: 0, bind: 127.0.0.1 }
                metrics: { interval: 1s }
                log: { format: json, level-file: "%s" }
                """.formatted(url(network.port()), SCHEMA, bus.connectionString(), levels()));
        log = new Incidents.Log(directory.resolve("one.log"));
        other = program.start(
                directory.resolve("other.log"), "run", "--set", "instance=other", "--set", "log.level-file=none");
        awaitOwner("1 other");
        relay = program.start(directory.resolve("one.log"), "run", "--set", "instance=one");
        writer = new Thread(this::write, "writer");
        writer.start();
    }

    @AfterEach
    void stop() throws Exception {
        ended.set(true);
        for (Process process : new Process[] {relay, other}) {
            process.destroyForcibly().waitFor();
        }
        writer.join();
        network.close();
        postgres.close();
        bus.close();
        if (Files.isDirectory(Path.of("target"))) {
            Files.copy(
                    directory.resolve("one.log"), Path.of("target/incidents.log"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    @Tag("long")
    void each_incident_is_found_by_its_first_line_and_its_end_and_the_log_stays_small() throws Exception {
        awaitOwner("2 other");
        await().atMost(Duration.ofSeconds(60)).until(() -> bus.journal("orders").storedCount() > 0);

        incident("another relay dies", () -> other.destroyForcibly().waitFor(), () -> {});
        incident("the broker is away", bus::suspend, bus::resume);
        incident("PostgreSQL is restarted", postgres::stop, postgres::restart);
        incident(
                "the broker refuses the credentials",
                this::refuseCredentials,
                () -> bus.faults().clear());
        incident(
                "the database takes no writes",
                () -> set("default_transaction_read_only = on"),
                () -> set("default_transaction_read_only = off"));
        incident(
                "a queue is deleted",
                () -> bus.delete("orders"),
                () -> bus.createQueue("orders", IncidentLogTest::orders));
        incident("PostgreSQL crashes", postgres::crash, postgres::restart);
        incident("the broker throttles", this::throttle, () -> bus.faults().clear());
        incident("too many clients", this::refuseConnections, () -> limit(-1));
        incident("connections hang", network::silence, network::resume);
        changeTheLevel();
        incident("the process receives SIGTERM", relay::destroy, () -> {});

        assertThat(relay.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(relay.exitValue()).isZero();
        assertThat(done).containsExactlyInAnyOrderElementsOf(incidents.names());
        long bytes = Files.size(directory.resolve("one.log"));
        System.out.println("log of the incidents: " + bytes + " bytes, " + log.size() + " lines");
        assertThat(bytes).isLessThan(MINUTES > 0 ? MOST_BYTES : MOST_BYTES / 3);
        // The lines of the logging library from before it is set up are not in the log of an installed program.
        assertThat(Files.readAllLines(directory.resolve("one.log")).stream().dropWhile(line -> !line.startsWith("{")))
                .hasSize(log.size());
        assertThat(log.lines()).noneMatch(line -> line.has("thrown")).allSatisfy(IncidentLogTest::isComplete);
    }

    /** Until so many relays are alive, and one of them owns the destination. */
    private void awaitOwner(String expected) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> postgres.value(
                                "select count(*) || coalesce(' ' || string_agg(r.name, ',') filter (where d.owner = r.id), '')"
                                        + " from waybill.relay r, waybill.outbox_destination d"
                                        + " where r.alive_until > clock_timestamp()")
                        .equals(expected));
    }

    private void changeTheLevel() throws Exception {
        int before = log.size();
        Files.writeString(levels(), "dev.waybill.standalone.http=DEBUG");
        int changed = log.awaitLine(
                Pattern.compile("Log levels changed to \\{dev.waybill.standalone.http=DEBUG} by .*"),
                before,
                Duration.ofSeconds(30));
        Files.delete(levels());
        log.awaitLine(
                Pattern.compile("Log levels changed to those of the configuration"), changed, Duration.ofSeconds(30));
    }

    private Path levels() {
        return directory.resolve("one.level");
    }

    private static void isComplete(JsonNode line) {
        assertThat(line.path("time").asText()).matches("[0-9-]{10}T[0-9:]{8}[.][0-9]{3}Z");
        assertThat(line.path("instance").asText()).isEqualTo("one");
        assertThat(line.fieldNames()).toIterable().contains("level", "logger", "message");
    }

    private void incident(String name, Step begin, Step end) throws Exception {
        Incidents.Lines lines = incidents.of(name);
        int before = log.size();
        begin.take();
        int first = log.awaitLine(lines.first(), before, Duration.ofSeconds(60));
        if (MINUTES > 0) {
            Thread.sleep(Duration.ofMinutes(MINUTES)
                    .dividedBy(2L * incidents.names().size())
                    .toMillis());
        }
        end.take();
        log.awaitLine(lines.end(), first - 1, Duration.ofSeconds(90));
        done.add(name);
        if (MINUTES > 0 && !name.contains("told to end")) {
            Thread.sleep(Duration.ofMinutes(MINUTES)
                    .dividedBy(2L * incidents.names().size())
                    .toMillis());
        }
    }

    private void refuseCredentials() {
        bus.faults().at(FaultPoint.CBS).then(FaultAction.reject(BrokerError.UNAUTHORIZED));
        bus.dropConnections();
    }

    private void throttle() {
        bus.faults().at(FaultPoint.BEFORE_STORE).probability(0.7).then(FaultAction.reject(BrokerError.SERVER_BUSY));
    }

    private void set(String setting) throws SQLException {
        postgres.execute("alter system set " + setting);
        postgres.execute("select pg_reload_conf()");
    }

    private void refuseConnections() throws SQLException {
        limit(1);
        postgres.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'waybill'");
    }

    private void limit(int connections) throws SQLException {
        postgres.execute("alter role waybill connection limit " + connections);
    }

    private static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=waybill";
    }

    // Not through the network that fails. Messages that cannot be written are not missed.
    private void write() {
        Outbox outbox = Outbox.builder().schema(new SchemaName(SCHEMA)).build();
        for (int number = 0; !ended.get(); number++) {
            int n = number;
            try (var connection = postgres.connect()) {
                DSL.using(connection, SQLDialect.POSTGRES)
                        .transaction(tx -> outbox.append(
                                tx.dsl(),
                                IntStream.range(0, 20)
                                        .mapToObj(session -> OutboxMessage.to("orders")
                                                .session("s-" + session)
                                                .id("m-" + session + "-" + n)
                                                .text("body")
                                                .build())
                                        .toList()));
                Thread.sleep(MINUTES > 0 ? 500 : 100);
            } catch (SQLException | DataAccessException e) {
                Thread.onSpinWait();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @FunctionalInterface
    private interface Step {
        void take() throws Exception;
    }
}
