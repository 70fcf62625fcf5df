package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody keeps a table of Waybill's locked for long, as {@code VACUUM FULL} does. A statement that the relay gives up must
 * not go on waiting in the server: each time the pool would open one more connection in its place.
 */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GivenUpStatementsTest {
    private static final String LOCKED = "select count(*) from %s.outbox_pause";
    private static final Duration ANSWER = Duration.ofSeconds(1);

    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_statement_that_waits_for_a_lock_ends_in_the_server_when_it_is_given_up() throws Exception {
        try (HikariDataSource pool = PostgresServer.pool(database.server().jdbcUrl(), 1);
                Connection dba = outbox.open()) {
            DSLContext dsl = RelayConnections.using(pool, ANSWER);
            int process = process(dsl);
            lock(dba, "outbox_pause");

            assertThatThrownBy(() -> dsl.fetch(LOCKED.formatted(outbox.schema)))
                    .isInstanceOf(DataAccessException.class);

            await().until(() -> !isBusy(process));
        }
    }

    @Test
    void what_the_driver_alone_has_begun_ends_in_the_server_when_its_connection_was_given_up() throws Exception {
        try (HikariDataSource pool = PostgresServer.pool(database.server().jdbcUrl(), 1);
                Connection dba = outbox.open()) {
            var connections = new RelayConnections(pool, ANSWER);
            Connection connection = connections.acquire();
            int process = process(DSL.using(connection));
            lock(dba, "outbox_pause");

            try (Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.execute(LOCKED.formatted(outbox.schema)))
                        .isInstanceOf(SQLException.class);
            }
            connections.release(connection);

            await().until(() -> !isBusy(process));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"relay_beat", "outbox_scheduled", "outbox_message_5"})
    @Tag("long")
    void a_table_that_stays_locked_takes_no_more_server_processes_than_the_pool_has(String table) throws Exception {
        int size = 4;
        String name = "guest-of-" + table;
        try (HikariDataSource pool =
                        PostgresServer.pool(database.server().jdbcUrl() + "&ApplicationName=" + name, size);
                Relay relay = relay(pool)) {
            relay.start();
            outbox.append("s", "m1");
            await().until(() -> broker.arrived().contains("m1"));
            try (Connection dba = outbox.open()) {
                lock(dba, table);
                await().during(Duration.ofSeconds(15))
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> processes(name) <= size + 1);
            }
            outbox.append("s", "m2");
            await().until(() -> broker.arrived().contains("m2"));
        }
    }

    private Relay relay(HikariDataSource pool) {
        return Relay.builder(pool)
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .publisher(broker)
                .leaseDuration(Duration.ofSeconds(3))
                .build();
    }

    private void lock(Connection dba, String table) throws SQLException {
        try (Statement statement = dba.createStatement()) {
            statement.execute("lock table " + outbox.schema.table(table) + " in access exclusive mode");
        }
    }

    private static int process(DSLContext dsl) {
        return dsl.fetchSingle("select pg_backend_pid()").get(0, Integer.class);
    }

    private boolean isBusy(int process) {
        return outbox.dsl.fetchExists(
                DSL.table("pg_stat_activity"), DSL.condition("pid = {0} and state = 'active'", process));
    }

    private int processes(String name) {
        return outbox.dsl.fetchCount(DSL.table("pg_stat_activity"), DSL.condition("application_name = {0}", name));
    }
}
