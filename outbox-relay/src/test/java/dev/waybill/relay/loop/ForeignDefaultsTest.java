package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.lease.NewTables;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database, or a pool, whose defaults are not those of PostgreSQL. */
@ExtendWith(PostgresExtension.class)
class ForeignDefaultsTest {
    private final Broker broker = new Broker();
    private TestDatabase database;
    private NewTables tables;

    @BeforeEach
    void start(TestDatabase given) {
        database = given;
        tables = new NewTables(given);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "default_transaction_isolation=serializable",
                "default_transaction_isolation=repeatable\\ read",
                "statement_timeout=200ms",
                "lock_timeout=1ms",
                "idle_in_transaction_session_timeout=100ms",
                "synchronous_commit=off",
                "default_transaction_deferrable=on",
                "row_security=on",
                "jit=on",
                "array_nulls=off",
                "search_path=pg_catalog",
                "DateStyle=German",
                "bytea_output=escape",
                "plan_cache_mode=force_custom_plan"
            })
    void messages_arrive_and_are_held_whatever_the_defaults_are(String setting) {
        var source = source("");
        source.setOptions("-c " + setting);

        arrive(source);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prepareThreshold=0",
                "prepareThreshold=1",
                "preferQueryMode=simple",
                "preferQueryMode=extendedForPrepared",
                "binaryTransfer=false",
                "defaultRowFetchSize=1",
                "autosave=always",
                "readOnly=false"
            })
    void messages_arrive_and_are_held_however_the_driver_is_set(String parameter) {
        arrive(source(parameter));
    }

    @Test
    void messages_arrive_from_a_pool_without_auto_commit() {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(4);
        config.setAutoCommit(false);
        try (var pool = new HikariDataSource(config)) {
            arrive(pool);
        }
    }

    @Test
    void a_lock_is_told_from_a_failure_though_statements_may_take_only_a_moment() throws Exception {
        var source = source("");
        source.setOptions("-c statement_timeout=200ms");
        try (var relay = new SteppedRelay(tables, source, broker, HoldPolicy.HOLD_SESSION, "bills", "orders").own();
                Connection operator = tables.open()) {
            tables.execute(
                    "insert into $.outbox_hold (destination, session_id, state, reason) values ('orders', 'bad', 'parked', 't')");
            tables.execute(operator, "select from $.outbox_hold for update");
            tables.append("orders", "bad", "b1");
            relay.turns(2);
            tables.append("bills", "s", "i1");
            relay.turns(2);

            assertThat(broker.arrived()).containsExactly("i1");
        }
    }

    @Test
    void a_relay_that_may_only_read_says_so() {
        var source = source("");
        source.setOptions("-c default_transaction_read_only=on");
        try (var relay = new SteppedRelay(tables, source, broker, HoldPolicy.HOLD_SESSION, "orders")) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 20; i++) {
                            relay.clock.advance(Duration.ofSeconds(1));
                            relay.loop.turn();
                        }
                    })
                    .hasMessageContaining("read-only transaction");
        }
    }

    private void arrive(DataSource source) {
        try (var relay = new SteppedRelay(tables, source, broker, HoldPolicy.HOLD_SESSION, "orders").own()) {
            broker.refuses("b1");
            tables.append("orders", "s", "m1", "m2");
            tables.append("orders", "bad", "b1", "b2");
            tables.append("orders", null, "NULL");
            relay.turns(4);
            tables.append("orders", "s", "m3");
            relay.clock.advance(Duration.ofSeconds(2));
            relay.turns(4);

            assertThat(broker.firstOf("s")).containsExactly("m1", "m2", "m3");
            assertThat(broker.arrived()).hasSize(4).contains("NULL");
            assertThat(held()).containsExactly("b1", "b2");
            assertThat(tables.one(Integer.class, "select count(*) from $.outbox_message"))
                    .isZero();
            assertThat(relay.floors().of("orders")).isPositive();
        }
    }

    private PGSimpleDataSource source(String parameter) {
        var source = new PGSimpleDataSource();
        String url = database.server().jdbcUrl();
        source.setUrl(url + (url.contains("?") ? "&" : "?") + parameter);
        return source;
    }

    private List<String> held() {
        return tables.fetch("select message_id from $.outbox_held_message order by hold_id, place")
                .getValues(0, String.class);
    }
}
