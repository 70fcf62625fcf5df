package dev.waybill.embedded.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReplicatedPostgresTest {
    @Test
    void what_a_lagging_standby_has_not_received_is_gone_after_its_promotion() throws Exception {
        try (var pair = ReplicatedPostgres.start()) {
            pair.primary().execute("create table t (n int); insert into t values (1)");
            pair.awaitCaughtUp();
            pair.standby().stopReceiving();
            pair.primary().execute("insert into t values (2)");

            pair.primary().crash();
            pair.standby().promote();

            assertThat(valueThrough(pair.jdbcUrl(), "select string_agg(n::text, ',') from t"))
                    .isEqualTo("1");
        }
    }

    @Test
    @Tag("long")
    void a_standby_that_receives_again_catches_up() throws Exception {
        try (var pair = ReplicatedPostgres.start()) {
            pair.standby().stopReceiving();
            pair.primary().execute("create table t (n int); insert into t values (1)");
            assertThatThrownBy(() -> pair.standby().value("select n from t")).isInstanceOf(SQLException.class);

            pair.standby().resumeReceiving();
            pair.awaitCaughtUp();

            assertThat(pair.standby().value("select n from t")).isEqualTo("1");
        }
    }

    @Test
    void a_promoted_standby_gets_a_standby_that_can_be_promoted_too() throws Exception {
        try (var pair = ReplicatedPostgres.start()) {
            pair.primary().execute("create table t (n int); insert into t values (1)");
            pair.awaitCaughtUp();
            pair.primary().crash();
            PostgresNode second = pair.standby();
            second.promote();
            second.execute("insert into t values (2)");

            try (PostgresNode third = second.newStandby()) {
                second.execute("insert into t values (3)");
                third.awaitReplayed(second);
                second.crash();
                third.promote();

                third.execute("insert into t values (4)");
                assertThat(third.value("select string_agg(n::text, ',' order by n) from t"))
                        .isEqualTo("1,2,3,4");
            }
        }
    }

    @Test
    void a_frozen_server_answers_nobody_and_goes_on_when_thawed() throws Exception {
        try (var server = PostgresNode.start();
                var connection = server.connect();
                var statement = connection.createStatement()) {
            connection.setNetworkTimeout(Runnable::run, 300);
            server.freeze();
            assertThatThrownBy(() -> statement.execute("select 1")).isInstanceOf(SQLException.class);

            server.thaw();
            assertThat(server.value("select 1")).isEqualTo("1");
        }
    }

    @Test
    void a_crashed_server_comes_back_with_what_it_had_committed() throws Exception {
        try (var server = PostgresNode.start()) {
            server.execute("create table t (n int); insert into t values (1)");
            server.crash();
            assertThatThrownBy(server::connect).isInstanceOf(SQLException.class);

            server.restart();

            assertThat(server.value("select n from t")).isEqualTo("1");
        }
    }

    @Test
    void a_server_that_is_closed_while_frozen_ends_too() throws Exception {
        PostgresNode server = PostgresNode.start();
        server.freeze();

        server.close();

        assertThatThrownBy(server::connect).isInstanceOf(SQLException.class);
    }

    private static String valueThrough(String url, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
