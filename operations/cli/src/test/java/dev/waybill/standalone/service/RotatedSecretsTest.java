package dev.waybill.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.SecuredPostgres;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ProcessEnvironment;
import dev.waybill.standalone.config.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Passwords and keys change in their files while relays run, and TLS to PostgreSQL is checked. */
@Timeout(120)
class RotatedSecretsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final SchemaName SCHEMA = SchemaName.DEFAULT;

    @TempDir
    private static Path folder;

    private static SecuredPostgres postgres;
    private static HikariDataSource owner;
    private static DSLContext dsl;
    private final AtomicInteger messages = new AtomicInteger();

    @BeforeAll
    static void start() {
        postgres = SecuredPostgres.start(folder);
        owner = postgres.server().newPool(4);
        dsl = DSL.using(owner, SQLDialect.POSTGRES);
        dsl.execute(Migrations.sql(SCHEMA, Feature.all()));
        dsl.execute("create role relay login password 'first'");
        dsl.execute(Role.RELAY.grants(SCHEMA, "relay", Feature.all()));
    }

    @AfterAll
    static void stop() {
        owner.close();
        postgres.close();
    }

    @Test
    @Tag("long")
    void a_password_and_a_key_change_while_the_relay_runs() throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "first\n");
        var bus = broker(0, "old key");
        int port = bus.port();
        Path key = Files.writeString(folder.resolve("key"), bus.connectionString());
        RelayService relay = start(password, key);
        try {
            appendAndAwait(bus);

            dsl.execute("alter role relay password 'second'");
            dsl.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'relay'");
            Files.writeString(password, "second\n");
            appendAndAwait(bus);

            bus.close();
            bus = broker(port, "new key");
            String last = append();
            await().atMost(PATIENCE)
                    .until(() -> dsl.fetchCount(
                                    DSL.table("waybill.outbox_destination"),
                                    DSL.condition("refusal_reason is not null"))
                            == 1);
            Files.writeString(key, bus.connectionString());
            awaitStored(bus, last);
        } finally {
            relay.stop();
            bus.close();
        }
    }

    @Test
    @Tag("long")
    void a_server_whose_certificate_nobody_trusts_is_refused_and_the_reason_told() throws IOException {
        dsl.execute("alter role relay password 'first'");
        String verified = "&sslmode=verify-full&sslrootcert=";
        assertThat(program("localhost", verified + postgres.certificate()).run("status"))
                .satisfies(trusting ->
                        assertThat(trusting.exitCode()).as(trusting.err()).isNotEqualTo(5));

        assertThat(program("127.0.0.1", verified + postgres.certificate()).run("status"))
                .satisfies(refused -> {
                    assertThat(refused.exitCode()).isEqualTo(5);
                    assertThat(refused.err()).contains("127.0.0.1").containsIgnoringCase("hostname");
                });
        Path other = Files.createDirectories(folder.resolve("other"));
        try (var stranger = EmbeddedServiceBus.builder().tls().start()) {
            Path root = Files.writeString(
                    other.resolve("root.crt"), stranger.tlsIdentity().certificatePem());
            assertThat(program("localhost", verified + root).run("status")).satisfies(refused -> {
                assertThat(refused.exitCode()).isEqualTo(5);
                assertThat(refused.err()).containsPattern("PKIX|certificat");
            });
        }
        assertThat(program("localhost", verified + other.resolve("missing.crt"))
                        .run("status")
                        .err())
                .contains("missing.crt");
    }

    private static Program program(String host, String parameters) throws IOException {
        return Program.with(
                Files.createTempDirectory(folder, "program"), """
                database:
                  main: { url: "%s?user=relay&password=first%s" }
                """.formatted(postgres.urlAt(host), parameters));
    }

    private static EmbeddedServiceBus broker(int port, String key) {
        return EmbeddedServiceBus.builder()
                .port(port)
                .accessKey("relay", key)
                .queue("orders", queue -> queue.requiresSession())
                .start();
    }

    private static RelayService start(Path password, Path key) throws IOException {
        Path file = Files.writeString(
                folder.resolve("waybill.yaml"), """
                instance: one
                database: { main: { url: "%s", user: relay, password-file: "%s" } }
                namespace: { main: { connection-string-file: "%s" } }
                destination: { orders: { sessions: true } }
                relay: { lease-duration: 2s, send-deadline: 3s }
                http: { port: 0, bind: 127.0.0.1 }
                """.formatted(postgres.urlAt("localhost"), password, key));
        var nothing = new ProcessEnvironment(Map.of(), Map.of());
        return RelayService.start(Configuration.of(Sources.of(Map.of(), nothing, Optional.of(file))), sends -> sends);
    }

    private void appendAndAwait(EmbeddedServiceBus bus) {
        awaitStored(bus, append());
    }

    // There may be others: what was not settled when the connections were cut is sent again.
    private static void awaitStored(EmbeddedServiceBus bus, String id) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(bus.journal("orders").stored())
                        .extracting(Stored::messageId)
                        .contains(id));
    }

    private String append() {
        String id = "m" + messages.incrementAndGet();
        dsl.transaction(tx -> Outbox.builder()
                .schema(SCHEMA)
                .build()
                .append(
                        tx.dsl(),
                        OutboxMessage.to("orders").session("s").id(id).text("x").build()));
        return id;
    }
}
