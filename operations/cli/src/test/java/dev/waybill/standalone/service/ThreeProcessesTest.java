package dev.waybill.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.standalone.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Standalone relays as processes: they share the work, take over from one that is killed, and hand over when told
 * to end.
 */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class ThreeProcessesTest {
    private static final Pattern PORT = Pattern.compile("metrics on 127\\.0\\.0\\.1:([0-9]+)");
    private static final int SESSIONS = 60;

    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue("orders", queue -> queue.requiresSession().duplicateDetection(Duration.ofMinutes(10)))
            .start();
    private final List<Process> processes = new ArrayList<>();

    @TempDir
    private Path directory;

    private SchemaName schema;
    private DSLContext dsl;
    private Outbox outbox;
    private Program program;

    @BeforeEach
    void configure(TestDatabase database) {
        schema = Program.tables(database);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        outbox = Outbox.builder().schema(schema).build();
        program = Program.with(directory, Program.database(database) + """
                namespace:
                  main:
                    connection-string: "%s"
                destination:
                  orders: { sessions: true }
                relay: { lease-duration: 2s }
                http: { port: 0, bind: 127.0.0.1 }
                metrics: { interval: 500ms }
                log: { format: json }
                """.formatted(bus.connectionString()));
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly();
            process.waitFor();
        }
        bus.close();
    }

    @Test
    void three_relays_share_the_work_and_take_over_from_one_that_is_killed() throws Exception {
        start("relay-1");
        start("relay-2");
        Process third = start("relay-3");
        awaitOwner("relay-1", "relay-2", "relay-3");
        append(1, 20);
        awaitStored(SESSIONS * 20);

        third.destroyForcibly().waitFor();
        append(21, 40);
        awaitOwner("relay-1", "relay-2");
        awaitStored(SESSIONS * 40);

        // Everything arrived, and in order, whoever sent it.
        var sessions = new TreeMap<String, List<Integer>>();
        for (Stored stored : bus.journal("orders").stored()) {
            String id = Objects.requireNonNull(stored.messageId());
            sessions.computeIfAbsent(Objects.requireNonNull(stored.sessionId()), session -> new ArrayList<>())
                    .add(Integer.parseInt(id.substring(id.lastIndexOf('-') + 1)));
        }
        List<Integer> expected = IntStream.rangeClosed(1, 40).boxed().toList();
        assertThat(sessions).hasSize(SESSIONS);
        assertThat(sessions.values()).allSatisfy(numbers -> assertThat(numbers).isEqualTo(expected));
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            JsonNode status = program.run("status", "--json").json();
            assertThat(status.get("working").asBoolean()).isTrue();
            assertThat(relay(status, "relay-3").get("alive").asBoolean()).isFalse();
        });
    }

    @Test
    @Tag("long")
    void a_relay_that_is_told_to_end_settles_hands_over_at_once_and_ends_with_code_0() throws Exception {
        start("relay-1", "--set", "relay.lease-duration=60s");
        Process leaving = start("relay-2", "--set", "relay.lease-duration=60s");
        awaitOwner("relay-1", "relay-2");
        append(1, 10);

        leaving.destroy();

        assertThat(leaving.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(leaving.exitValue()).isZero();
        // Long before a lease of 60 s would have run out.
        append(11, 20);
        awaitStored(SESSIONS * 20);
        assertThat(log("relay-2")).contains("Shutdown complete: messages settled and leases released");
    }

    @Test
    @Tag("long")
    void probes_metrics_and_the_health_command_tell_how_a_relay_is_and_a_standby_is_ready() throws Exception {
        start("relay-1");
        awaitOwner("relay-1");
        start("relay-2");
        awaitOwner("relay-1", "relay-2");
        append(1, 3);
        awaitStored(SESSIONS * 3);

        for (String name : List.of("relay-1", "relay-2")) {
            String url = "http://127.0.0.1:" + port(name);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> program.run("health", "--url", url).exitCode() == 0);
            assertThat(program.run("health", "--url", url, "--probe", "startup").exitCode())
                    .isZero();
            assertThat(program.run("health", "--url", url, "--probe", "live").exitCode())
                    .isZero();
        }
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(metrics("relay-1"))
                        .contains("waybill_outbox_relays_alive{database=\"main\"} 2.0")
                        .contains("waybill_outbox_relay_working{database=\"main\"} 1.0")
                        .contains("waybill_outbox_pending_messages{database=\"main\",destination=\"orders\"} 0.0")
                        .containsPattern("waybill_outbox_publish_messages_total\\{.*outcome=\"accepted\"\\} [0-9.]+")
                        .contains(
                                "waybill_outbox_commit_to_ack_seconds_count{database=\"main\",destination=\"orders\"}")
                        .contains("jvm_memory_used_bytes"));
        assertThat(metrics("relay-1")).doesNotContain("session-");
        assertThat(program.runProcess("health", "--url", "http://127.0.0.1:1").exitCode())
                .isEqualTo(5);
        // One object a line, and never a body.
        assertThat(log("relay-1").lines())
                .allSatisfy(line -> assertThat(line).startsWith("{").endsWith("}"));
        assertThat(log("relay-1")).doesNotContain("secret body").contains("uses a connection string");
    }

    @Test
    @Tag("long")
    void a_relay_waits_for_tables_and_broker_and_says_that_it_is_not_ready() throws Exception {
        dsl.execute("alter schema " + schema + " rename to " + schema + "_away");
        try {
            start("relay-1");
            String url = "http://127.0.0.1:" + port("relay-1");
            assertThat(program.run("health", "--url", url, "--probe", "live").exitCode())
                    .isZero();
            assertThat(program.run("health", "--url", url, "--probe", "startup").exitCode())
                    .isEqualTo(1);
            assertThat(program.run("health", "--url", url).exitCode()).isEqualTo(1);
        } finally {
            dsl.execute("alter schema " + schema + "_away rename to " + schema);
        }

        awaitOwner("relay-1");
        append(1, 1);
        awaitStored(SESSIONS);
    }

    @Test
    @Tag("long")
    void spans_and_metrics_are_sent_by_otlp_where_the_configuration_says() throws Exception {
        var received = new ConcurrentHashMap<String, String>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
                received.merge(exchange.getRequestURI().getPath(), body, String::concat);
                exchange.sendResponseHeaders(200, -1);
            }
        });
        collector.start();
        try {
            String url = "http://127.0.0.1:" + collector.getAddress().getPort();
            Process relay = start(
                    "relay-1",
                    "--set",
                    "tracing.otlp-endpoint=" + url + "/v1/traces",
                    "--set",
                    "metrics.otlp-endpoint=" + url + "/v1/metrics");
            awaitOwner("relay-1");
            dsl.transaction(tx -> outbox.append(
                    tx.dsl(),
                    OutboxMessage.to("orders")
                            .session("s")
                            .id("traced")
                            .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                            .text("x")
                            .build()));
            awaitStored(1);
            relay.destroy();
            assertThat(relay.waitFor(30, TimeUnit.SECONDS)).isTrue();

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(received.get("/v1/traces"))
                        .contains("send orders")
                        .contains("traced")
                        .contains("waybill-relay");
                assertThat(received.get("/v1/metrics")).contains("waybill.outbox.relay.working");
            });
        } finally {
            collector.stop(0);
        }
    }

    private Process start(String name, String... more) throws IOException {
        var arguments = new ArrayList<>(List.of("run", "--set", "instance=" + name));
        arguments.addAll(List.of(more));
        Process process = program.start(directory.resolve(name + ".log"), arguments.toArray(String[]::new));
        processes.add(process);
        return process;
    }

    private void append(int first, int last) {
        for (int number = first; number <= last; number++) {
            int n = number;
            dsl.transaction(tx -> outbox.append(
                    tx.dsl(),
                    IntStream.range(0, SESSIONS)
                            .mapToObj(session -> OutboxMessage.to("orders")
                                    .session("session-" + session)
                                    .id("m-" + session + "-" + n)
                                    .text("secret body")
                                    .build())
                            .toList()));
        }
    }

    private void awaitStored(int count) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(bus.journal("orders").storedCount()).isEqualTo(count));
    }

    /** Until these are all that live, and one of them owns the destination, by what the status command says. */
    private void awaitOwner(String... names) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            JsonNode status = program.run("status", "--json").json();
            int owned = 0;
            for (String name : names) {
                assertThat(relay(status, name).get("alive").asBoolean())
                        .as(name)
                        .isTrue();
                owned += relay(status, name).get("destinations").asInt();
            }
            assertThat(owned).isEqualTo(1);
        });
    }

    private static JsonNode relay(JsonNode status, String name) {
        for (JsonNode relay : status.get("relays")) {
            if (relay.get("relay").asText().equals(name)) {
                return relay;
            }
        }
        throw new AssertionError("No relay " + name + " in " + status);
    }

    private String log(String name) throws IOException {
        return Files.readString(directory.resolve(name + ".log"));
    }

    private String port(String name) {
        return await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            Matcher matcher = PORT.matcher(log(name));
                            return matcher.find() ? matcher.group(1) : "";
                        },
                        port -> !port.isEmpty());
    }

    private String metrics(String name) throws Exception {
        var request = java.net.http.HttpRequest.newBuilder(
                        java.net.URI.create("http://127.0.0.1:" + port(name) + "/metrics"))
                .build();
        return java.net.http.HttpClient.newHttpClient()
                .send(request, java.net.http.HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
