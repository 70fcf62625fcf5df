package dev.waybill.standalone.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.embedded.postgres.PostgresNode;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import dev.waybill.pooler.PgBouncer;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsoleSettings.Login;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.database.Pools;
import dev.waybill.standalone.servicebus.Bus;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a managed server has and a server of one's own has not: poolers, limits, withdrawn rights, no superuser. */
@Timeout(120)
class ManagedPostgresTest {
    private static PostgresNode server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws SQLException {
        server = PostgresNode.start();
        server.execute("create role admin login createrole createdb");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** As administrators of managed servers are: no superuser, but owner of the database. */
    @BeforeEach
    void let_the_administrator_make_tables_and_give_grants() throws SQLException {
        server.execute("create database shop owner admin");
        assertThat(program(url("admin")).run("migrate", "up", "outbox", "inbox").exitCode())
                .isZero();
        execute("admin", "create role relay login");
        execute("admin", Role.RELAY.grants(SchemaName.DEFAULT, "relay", Feature.OUTBOX, Feature.INBOX));
        relayIsAlive("embedded in an application");
    }

    @AfterEach
    void drop_them() throws SQLException {
        server.execute("drop database shop with (force)");
        server.execute("drop owned by relay");
        server.execute("drop role relay");
    }

    @Test
    void no_superuser_is_needed_for_tables_grants_and_relay() {
        assertThat(findings(url("relay"))).isEmpty();
        startRelay(url("relay"));
    }

    @Test
    void the_console_which_may_only_read_examines_the_same() {
        var options = Map.of("database.main.url", url("relay"));
        var login = new Login(Optional.empty(), Optional.empty());
        var configuration = Configuration.of(new Sources(options, Map.of(), Map.of(), Optional.empty()));
        try (var pool = Pools.forViewers(configuration.databases().get(0), login)) {
            assertThat(Doctor.examine(
                            configuration,
                            namespace -> new Bus(namespace).entities(),
                            database -> pool,
                            InstantSource.system()))
                    .isEmpty();
        }
    }

    @Test
    void a_role_whose_transactions_are_read_only_by_default_is_told() throws Exception {
        server.execute("alter role relay set default_transaction_read_only = on");

        String statement = "alter role relay reset default_transaction_read_only";
        assertThat(findings(url("relay"))).singleElement().satisfies(finding -> {
            assertThat(finding.get("mistake").asText()).isEqualTo("not-publishing");
            assertThat(finding.get("fix").asText()).contains(statement);
        });
        assertThatThrownBy(() -> startRelay(url("relay"))).hasMessageContaining(statement);
    }

    @Test
    void a_pooler_in_transaction_mode_is_told_with_its_price_and_nothing_listens_behind_it() throws Exception {
        PgBouncer.assumeInstalled();
        try (PgBouncer bouncer = PgBouncer.before(server, 5)) {
            String url = bouncer.jdbcUrl().replace("/postgres?", "/shop?");

            assertThat(findings(url)).singleElement().satisfies(finding -> {
                assertThat(finding.get("mistake").asText()).isEqualTo("wake-ups");
                assertThat(finding.get("severity").asText()).isEqualTo("warning");
                assertThat(finding.get("evidence").asText()).contains("a pooler in transaction or statement mode");
                assertThat(finding.get("why").asText()).contains("relay.longest-idle (500ms)");
                assertThat(finding.get("fix").asText()).contains("the server's own port", "relay.listen: false");
            });
            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement();
                    var channels = statement.executeQuery("select pg_listening_channels()")) {
                assertThat(channels.next()).isFalse();
            }
            assertThat(findings(url, "relay: { listen: false }")).isEmpty();
        }
    }

    @Test
    void more_connections_than_the_role_may_have_are_one_finding_with_the_number_that_fits() throws Exception {
        server.execute("alter role relay connection limit 9");

        assertThat(findings(url("relay"))).singleElement().satisfies(finding -> {
            assertThat(finding.get("mistake").asText()).isEqualTo("connections");
            assertThat(finding.get("evidence").asText()).contains("open 10 connections", "role relay has room for 9");
            assertThat(finding.get("fix").asText()).startsWith("alter role relay connection limit 10;");
        });

        server.execute("alter role relay connection limit 10");
        assertThat(findings(url("relay"))).isEmpty();
    }

    @Test
    void connections_of_relays_that_run_are_counted_and_those_of_other_programs_taken_off() throws Exception {
        server.execute("alter database shop connection limit 19");
        relayIsAlive("one");
        relayIsAlive("two");
        try (var one = DriverManager.getConnection(url("relay") + "&ApplicationName=waybill-relay%20one");
                var two = DriverManager.getConnection(url("relay") + "&ApplicationName=waybill-relay%20two")) {
            assertThat(one.isValid(1) && two.isValid(1)).isTrue();
            assertThat(findings(url("relay"))).isEmpty();

            try (var other = DriverManager.getConnection(url("relay"));
                    var another = DriverManager.getConnection(url("admin"))) {
                assertThat(other.isValid(1) && another.isValid(1)).isTrue();
                assertThat(findings(url("relay"))).singleElement().satisfies(finding -> {
                    assertThat(finding.get("evidence").asText())
                            .contains("open 18 connections", "relays: 2", "database shop has room for 17");
                    assertThat(finding.get("fix").asText()).startsWith("alter database shop connection limit 20;");
                });
            }
        }
    }

    @Test
    void functions_of_the_server_that_were_withdrawn_are_told_with_their_statement() throws Exception {
        withdrawFunctions();

        String statement = "grant execute on function pg_catalog.pg_current_wal_flush_lsn() to relay;"
                + " grant execute on function pg_catalog.pg_notify(text, text) to relay";
        assertThat(findings(url("relay"))).singleElement().satisfies(finding -> {
            assertThat(finding.get("mistake").asText()).isEqualTo("grants");
            assertThat(finding.get("fix").asText()).startsWith(statement + ";   # as a superuser");
        });
        assertThatThrownBy(() -> startRelay(url("relay")))
                .hasMessageContaining("Run as a superuser: " + statement + ".");
    }

    @Test
    void the_printed_grants_give_each_function_that_was_withdrawn() throws Exception {
        withdrawFunctions();
        execute("postgres", Role.RELAY.grants(SchemaName.DEFAULT, "relay", Feature.OUTBOX));

        assertThat(findings(url("relay"))).isEmpty();
    }

    @Test
    void a_role_without_rights_is_told_the_grants_and_not_a_migration() throws Exception {
        execute("admin", "revoke usage on schema waybill from relay");

        assertThat(findings(url("relay"))).singleElement().satisfies(finding -> {
            assertThat(finding.get("mistake").asText()).isEqualTo("grants");
            assertThat(finding.get("evidence").asText()).contains("permission denied for schema waybill");
            assertThat(finding.get("fix").asText())
                    .startsWith("waybill-relay grants print relay --schema waybill --to relay | psql");
        });
        assertThatThrownBy(() -> startRelay(url("relay")))
                .hasMessageContaining("permission denied for schema waybill")
                .hasMessageContaining("waybill-relay grants print relay --schema waybill --to relay | psql");
    }

    @Test
    void row_level_security_is_told_with_the_statement_that_ends_it() throws Exception {
        execute("admin", "alter table waybill.outbox_message enable row level security");

        String statement = "alter table waybill.outbox_message disable row level security";
        assertThat(findings(url("relay"))).singleElement().satisfies(finding -> {
            assertThat(finding.get("mistake").asText()).isEqualTo("grants");
            assertThat(finding.get("fix").asText()).startsWith(statement);
        });
        assertThatThrownBy(() -> startRelay(url("relay"))).hasMessageContaining(statement);
    }

    @Test
    void a_standby_is_told_as_the_only_finding_and_refused_at_the_start() throws Exception {
        try (PostgresNode standby = server.newStandby()) {
            standby.awaitReplayed(server);
            String url = url("relay").replace(":" + server.port(), ":" + standby.port());

            assertThat(findings(url)).singleElement().satisfies(finding -> {
                assertThat(finding.get("mistake").asText()).isEqualTo("not-publishing");
                assertThat(finding.get("severity").asText()).isEqualTo("error");
                assertThat(finding.get("evidence").asText()).contains("it is a standby");
                assertThat(finding.get("fix").asText()).contains("targetServerType=primary");
            });
            assertThatThrownBy(() -> startRelay(url)).hasMessageContaining("the server is a standby");
        }
    }

    private JsonNode findings(String url, String... options) {
        return program(url, options).run("doctor", "--json").json();
    }

    private Program program(String url, String... options) {
        return Program.with(directory, "database: { main: { url: \"" + url + "\" } }\n" + String.join("\n", options));
    }

    private static void startRelay(String url) {
        try (var pool = PostgresServer.pool(url, 4);
                Relay relay = Relay.builder(pool)
                        .destination("orders")
                        .publisher(new NoPublisher())
                        .start()) {
            relay.wake();
        }
    }

    private static String url(String role) {
        return server.jdbcUrl().replace("/postgres?user=postgres", "/shop?user=" + role);
    }

    // In this database, for the rights to call functions are those of one database.
    private static void withdrawFunctions() throws SQLException {
        execute(
                "postgres",
                "revoke execute on function pg_catalog.pg_current_wal_flush_lsn(), pg_catalog.pg_notify(text, text)"
                        + " from public");
    }

    private static void relayIsAlive(String name) throws SQLException {
        execute(
                "admin",
                "insert into waybill.relay (id, name, alive_until, follows_entities, serving, destinations, states,"
                        + " since, details) values (gen_random_uuid(), '" + name
                        + "', 'infinity', false, '{}', '{}', '{}', '{}', '{}')");
    }

    private static void execute(String role, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(url(role));
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static final class NoPublisher implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return CompletableFuture.completedFuture(
                    PublishResult.accepted(shipment.rows().size()));
        }

        @Override
        public void close() {}
    }
}
