package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.schema.IdleLimit;
import java.io.InputStream;
import java.sql.SQLException;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that fall silent in the middle of a statement, not between two of them. */
@ExtendWith(PostgresExtension.class)
@Disabled(
        "The server waits for the rest of a statement without a limit: idle_in_transaction_session_timeout counts only"
                + " between two of them. Its system's keepalive, or transaction_timeout of PostgreSQL 17, would end it")
class HalfSentTest {
    private static final int BODY = 2_000_000;

    private TestDatabase database;
    private SilentProxy proxy;
    private HikariDataSource pool;

    @BeforeEach
    void create_a_table(TestDatabase database) throws SQLException {
        this.database = database;
        database.execute("create schema " + database.schema());
        database.execute("create table " + table() + " (n int, body bytea)");
        database.execute("insert into " + table() + " values (0)");
        proxy = SilentProxy.to(database.server().jdbcUrl());
        var config = new HikariConfig();
        config.setJdbcUrl(proxy.url());
        config.setMaximumPoolSize(1);
        config.addDataSourceProperty("socketTimeout", "2");
        pool = new HikariDataSource(config);
    }

    @AfterEach
    void close() throws Exception {
        pool.close();
        proxy.close();
    }

    @Test
    void a_client_that_falls_silent_within_a_large_statement_keeps_its_locks_from_nobody() {
        DSLContext silent = IdleLimit.of(Duration.ofMillis(300), AutoCommitConnections.using(pool));
        assertThatThrownBy(() -> silent.transaction(tx -> {
                    tx.dsl().execute("update " + table() + " set n = 1");
                    tx.dsl().connection(connection -> {
                        try (var insert = connection.prepareStatement("insert into " + table() + " values (2, ?)")) {
                            insert.setBinaryStream(1, silencedWithin(BODY), BODY);
                            insert.executeUpdate();
                        }
                    });
                }))
                .isInstanceOf(DataAccessException.class);

        DSLContext other = AutoCommitConnections.using(database.dataSource());
        int changed = other.transactionResult(tx -> {
            tx.dsl().execute("set local lock_timeout = '2s'");
            return tx.dsl().execute("update " + table() + " set n = 3");
        });
        assertThat(changed).isEqualTo(1);
    }

    private InputStream silencedWithin(int length) {
        return new InputStream() {
            private int sent;

            @Override
            public int read() {
                return read(new byte[1], 0, 1);
            }

            @Override
            public int read(byte[] bytes, int from, int most) {
                sent += most;
                if (sent >= length / 2) {
                    proxy.silence();
                }
                return most;
            }
        };
    }

    private String table() {
        return database.schema() + ".counted";
    }
}
