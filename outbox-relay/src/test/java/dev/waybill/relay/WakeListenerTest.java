package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.WakeChannel;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.ConnectionProvider;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Notifications of writers in other processes reach a relay, also after its connection was lost. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class WakeListenerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AtomicInteger woken = new AtomicInteger();
    private OutboxFixture outbox;
    private String channel;
    private WakeListener listener;

    @BeforeEach
    void listen(TestDatabase database) {
        outbox = new OutboxFixture(database);
        channel = WakeChannel.of(outbox.schema);
        listener = new WakeListener(outbox.dsl, outbox.schema, keeping -> {}, woken::incrementAndGet);
        listener.start();
        awaitListening();
    }

    @AfterEach
    void close() {
        listener.close();
    }

    @Test
    void a_notification_of_another_process_wakes_the_relay() {
        notifyRelays();

        await().atMost(PATIENCE).until(() -> woken.get() > 0);
    }

    @Test
    void a_lost_connection_is_replaced_and_notifications_come_again() {
        assertThat(terminateListeners()).isEqualTo(1);

        awaitListening();
        notifyRelays();

        await().atMost(PATIENCE).until(() -> woken.get() > 0);
    }

    @Test
    void a_server_that_ends_idle_sessions_does_not_end_that_of_the_listener(TestDatabase database) {
        listener.close();
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMinimumIdle(0);
        config.setConnectionInitSql("set idle_session_timeout = '600ms'");
        try (var pool = new HikariDataSource(config);
                var other = new WakeListener(
                        DSL.using(pool, SQLDialect.POSTGRES), outbox.schema, keeping -> {}, woken::incrementAndGet)) {
            other.start();
            awaitListening();
            int process = outbox.dsl
                    .fetchSingle("select pid from pg_stat_activity where query = {0}", DSL.val(listen()))
                    .get(0, Integer.class);

            // The age of the process, by the server: it must be there at each look until then.
            await().atMost(PATIENCE)
                    .until(() -> outbox.dsl
                            .fetchSingle(
                                    "select clock_timestamp() - backend_start > interval '2 seconds'"
                                            + " from pg_stat_activity where pid = {0}",
                                    DSL.val(process))
                            .get(0, Boolean.class));
        }
    }

    @Test
    void a_listener_that_is_closed_leaves_nobody_listening_and_wakes_nobody() {
        listener.close();

        await().atMost(PATIENCE).until(() -> listeners() == 0);
        notifyRelays();
        assertThat(woken).hasValue(0);
    }

    @Test
    void a_connection_that_cannot_be_told_to_listen_no_more_goes_back_to_its_pool_all_the_same() {
        var lent = new AtomicInteger();
        var other = new WakeListener(
                DSL.using(new DefaultConfiguration()
                        .set(new Deaf(outbox.dsl.configuration().connectionProvider(), lent))),
                outbox.schema,
                keeping -> {},
                woken::incrementAndGet);
        other.start();
        await().atMost(PATIENCE).until(() -> listeners() == 2);

        other.close();

        assertThat(lent).hasValue(0);
    }

    private void notifyRelays() {
        outbox.dsl.fetch("select pg_notify({0}, '')", DSL.val(channel));
    }

    private void awaitListening() {
        await().atMost(PATIENCE).until(() -> listeners() == 1);
    }

    private int listeners() {
        return outbox.dsl
                .fetchSingle("select count(*)::int from pg_stat_activity where query = {0}", DSL.val(listen()))
                .get(0, Integer.class);
    }

    private int terminateListeners() {
        return outbox.dsl
                .fetchSingle(
                        "select count(pg_terminate_backend(pid))::int from pg_stat_activity where query = {0}",
                        DSL.val(listen()))
                .get(0, Integer.class);
    }

    private String listen() {
        return "listen \"" + channel + '"';
    }

    /** Lends connections that fail when they are told to listen no more. */
    private record Deaf(ConnectionProvider connections, AtomicInteger lent) implements ConnectionProvider {
        @Override
        public Connection acquire() {
            Connection connection = Objects.requireNonNull(connections.acquire());
            lent.incrementAndGet();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        Object result = method.invoke(connection, arguments);
                        return method.getName().equals("createStatement") ? deaf((Statement) result) : result;
                    });
        }

        private Object deaf(Statement statement) {
            return Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Statement.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("execute") && arguments[0].equals("unlisten *")) {
                            throw new SQLException("planted", "08006");
                        }
                        return method.invoke(statement, arguments);
                    });
        }

        @Override
        public void release(Connection connection) {
            lent.decrementAndGet();
            try {
                connection.close();
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
    }
}
