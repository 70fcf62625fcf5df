package dev.waybill.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that say nothing more within a transaction. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class IdleLimitTest {
    private TestDatabase database;
    private DSLContext dsl;

    @BeforeEach
    void create_a_table(TestDatabase database) throws SQLException {
        this.database = database;
        database.execute("create schema " + database.schema());
        database.execute("create table " + table() + " (n int)");
        database.execute("insert into " + table() + " values (0)");
        dsl = AutoCommitConnections.using(database.dataSource());
    }

    @Test
    void a_client_that_says_nothing_more_keeps_its_locks_from_nobody() {
        DSLContext silent = IdleLimit.of(Duration.ofMillis(100), dsl);

        assertThatThrownBy(() -> silent.transaction(tx -> {
                    tx.dsl().execute("update " + table() + " set n = 1");
                    dsl.execute("update " + table() + " set n = n + 10");
                }))
                .isInstanceOf(DataAccessException.class);

        assertThat(value()).isEqualTo(10);
    }

    @Test
    void a_transaction_may_still_choose_its_isolation() {
        String isolation = dsl.transactionResult(tx -> {
            tx.dsl().execute("set transaction isolation level repeatable read");
            return setting(tx.dsl(), "transaction_isolation");
        });

        assertThat(isolation).isEqualTo("repeatable read");
    }

    @Test
    void every_transaction_has_a_limit_and_no_connection_keeps_it() {
        assertThat(dsl.<String>transactionResult(tx -> tx.dsl()
                        .transactionResult(inner -> setting(inner.dsl(), "idle_in_transaction_session_timeout"))))
                .isEqualTo("1min");
        dsl.connection(connection -> {
            DSLContext one = IdleLimit.of(IdleLimit.DEFAULT, DSL.using(connection));

            one.transaction(tx -> tx.dsl().execute("update " + table() + " set n = 2"));

            assertThat(setting(one, "idle_in_transaction_session_timeout")).isEqualTo("0");
        });
        assertThat(value()).isEqualTo(2);
    }

    @Test
    @Tag("long")
    void of_two_limits_the_later_one_holds() {
        DSLContext patient = IdleLimit.of(Duration.ofMinutes(10), dsl);

        assertThat(patient.<String>transactionResult(tx -> setting(tx.dsl(), "idle_in_transaction_session_timeout")))
                .isEqualTo("10min");
    }

    @Test
    void a_transaction_that_could_not_begin_says_why_and_does_not_wait_for_the_pool_once_more() {
        var provider = new EmptyPool();

        assertThatThrownBy(() -> IdleLimit.of(IdleLimit.DEFAULT, DSL.using(provider, SQLDialect.POSTGRES))
                        .transaction(tx -> {}))
                .hasMessage("no connection 1");

        var without = new EmptyPool();
        assertThatThrownBy(() -> DSL.using(without, SQLDialect.POSTGRES).transaction(tx -> {}))
                .hasMessage("no connection 1");
        assertThat(provider.asked).isEqualTo(without.asked);
    }

    private static final class EmptyPool implements ConnectionProvider {
        private int asked;

        @Override
        public Connection acquire() {
            throw new DataAccessException("no connection " + ++asked);
        }

        @Override
        public void release(Connection connection) {}
    }

    private static String setting(DSLContext dsl, String name) {
        return dsl.fetchSingle("select current_setting({0})", DSL.val(name)).get(0, String.class);
    }

    private int value() {
        return dsl.fetchSingle("select n from " + table()).get(0, Integer.class);
    }

    private String table() {
        return database.schema() + ".counted";
    }
}
