package dev.waybill.pooler;

import dev.waybill.embedded.postgres.PostgresNode;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Relay and writers behind PgBouncer in transaction mode, where each transaction may have another server process. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class PgBouncerTest {
    private static final int FEW = 10;
    private static final int OTHERS = 12;

    private static PostgresNode server;

    @BeforeAll
    static void start() {
        PgBouncer.assumeInstalled();
        server = PostgresNode.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void ten_thousand_messages_arrive_in_order_through_a_pooler() throws Exception {
        Duration direct = run("direct", server.jdbcUrl());
        try (PgBouncer bouncer = PgBouncer.before(server, 20)) {
            print(direct, run("pooled", bouncer.jdbcUrl()), "20 server connections");
        }
    }

    @Test
    @Tag("long")
    void they_do_so_while_other_clients_keep_ten_server_connections_busy() throws Exception {
        var busy = new AtomicBoolean(true);
        try (PgBouncer bouncer = PgBouncer.before(server, FEW);
                var pool = PostgresServer.pool(bouncer.jdbcUrl(), OTHERS)) {
            ExecutorService others = Executors.newFixedThreadPool(OTHERS);
            try {
                for (int i = 0; i < OTHERS; i++) {
                    others.execute(() -> keepBusy(pool, busy));
                }
                Duration writers =
                        new PooledRun(new SchemaName("writers")).timeOfWriters(server.jdbcUrl(), bouncer.jdbcUrl());
                Duration all = run("busy", bouncer.jdbcUrl());
                System.out.println("10,000 messages by PgBouncer with " + FEW
                        + " server connections that others use: writers alone " + writers.toMillis()
                        + " ms, with the relay " + all.toMillis() + " ms");
            } finally {
                busy.set(false);
                others.shutdown();
                others.awaitTermination(10, TimeUnit.SECONDS);
            }
        }
    }

    private static Duration run(String schema, String url) throws Exception {
        return new PooledRun(new SchemaName(schema)).time(server.jdbcUrl(), url);
    }

    private static void keepBusy(DataSource pool, AtomicBoolean busy) {
        try (Connection connection = pool.getConnection();
                var statement = connection.createStatement()) {
            while (busy.get()) {
                statement.execute("select pg_sleep(0.02)");
            }
        } catch (Exception e) {
            throw new IllegalStateException("A client of others failed", e);
        }
    }

    private static void print(Duration direct, Duration pooled, String how) {
        System.out.println("10,000 messages in 200 sessions: direct " + direct.toMillis() + " ms, by PgBouncer with "
                + how + " " + pooled.toMillis() + " ms");
    }
}
