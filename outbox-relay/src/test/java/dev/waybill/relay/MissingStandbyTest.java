package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The synchronous standby has gone: a commit waits until it is back, or until somebody takes it out of the settings. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class MissingStandbyTest {
    private static final String NAME = "guest";

    private static PostgresServer server;
    private static HikariDataSource admins;
    private static DSLContext dba;

    private final RecordingPublisher broker = new RecordingPublisher();
    private HikariDataSource pool;

    @BeforeAll
    static void start_a_server_whose_commits_wait_for_a_standby() {
        server = PostgresServer.embedded(Map.of("synchronous_commit", "remote_apply"));
        admins = PostgresServer.pool(server.jdbcUrl() + "&options=-c%20synchronous_commit=local", 2);
        Migrations.of(admins).apply(Feature.all());
        dba = DSL.using(admins, SQLDialect.POSTGRES);
    }

    @AfterAll
    static void stop_the_server() {
        admins.close();
        server.close();
    }

    @BeforeEach
    void connect() {
        pool = PostgresServer.pool(server.jdbcUrl() + "&ApplicationName=" + NAME, 4);
    }

    @AfterEach
    void bring_the_standby_back() {
        standbys("''");
        pool.close();
    }

    @Test
    void a_commit_that_was_given_up_does_not_go_on_waiting_in_the_server() {
        DSLContext dsl = RelayConnections.using(pool, Duration.ofSeconds(1));
        standbys("missing");

        assertThatThrownBy(() -> dsl.transaction(tx -> tx.dsl().execute("create table waits (id int)")))
                .isInstanceOf(DataAccessException.class);

        await().until(() -> waiting() == 0);
    }

    @Test
    @Tag("long")
    void a_missing_standby_takes_no_more_server_processes_than_the_pool_has_and_the_relay_stays_alive()
            throws Exception {
        try (Relay relay = relay()) {
            relay.start();
            append("m1");
            await().until(() -> broker.arrived().contains("m1"));
            standbys("missing");
            await().during(Duration.ofSeconds(15))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> processes() <= 5 && isAlive());
            standbys("''");
            append("m2");
            await().until(() -> broker.arrived().contains("m2"));
        }
        assertThat(broker.arrived()).containsExactly("m1", "m2");
    }

    private Relay relay() {
        return Relay.builder(pool)
                .destination(OutboxFixture.DESTINATION)
                .publisher(broker)
                .leaseDuration(Duration.ofSeconds(3))
                .build();
    }

    private static void append(String id) throws SQLException {
        try (Connection connection = admins.getConnection()) {
            connection.setAutoCommit(false);
            Outbox.builder()
                    .build()
                    .append(
                            connection,
                            OutboxMessage.to(OutboxFixture.DESTINATION)
                                    .session("s")
                                    .id(id)
                                    .text(id)
                                    .build());
            connection.commit();
        }
    }

    private static void standbys(String names) {
        dba.connection(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("alter system set synchronous_standby_names = " + names);
                statement.execute("select pg_reload_conf()");
            }
        });
        await().until(() -> dba.fetchSingle("show synchronous_standby_names")
                .get(0, String.class)
                .equals(names.replace("'", "")));
    }

    private static boolean isAlive() {
        return dba.fetchSingle("select count(*) from waybill.relay_liveness where alive")
                        .get(0, Integer.class)
                == 1;
    }

    private static int waiting() {
        return dba.fetchCount(DSL.table("pg_stat_activity"), DSL.condition("wait_event = 'SyncRep'"));
    }

    private static int processes() {
        return dba.fetchCount(DSL.table("pg_stat_activity"), DSL.condition("application_name = {0}", NAME));
    }
}
