package dev.waybill.relay;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool with as many connections as the documents ask for, and work beside the destinations that has to wait for a lock. */
@ExtendWith(PostgresExtension.class)
class SpareConnectionTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    @ParameterizedTest
    @ValueSource(strings = {"outbox_scheduled", "outbox_straggler"})
    @Tag("long")
    void signs_of_life_do_not_wait_behind_work_that_waits_for_a_lock(String table, TestDatabase database)
            throws Exception {
        var outbox = new OutboxFixture(database);
        var broker = new RecordingPublisher();
        try (HikariDataSource pool = PostgresServer.pool(database.server().jdbcUrl(), 3);
                Relay relay = Relay.builder(pool)
                        .schema(outbox.schema)
                        .publisher(broker)
                        .destination(OutboxFixture.DESTINATION)
                        .leaseDuration(LEASE)
                        .build()) {
            relay.start();
            outbox.append("s", "m");
            await().until(() -> broker.arrived().contains("m"));
            try (Connection dba = outbox.open();
                    Statement statement = dba.createStatement()) {
                statement.execute("lock table " + outbox.schema.table(table) + " in access exclusive mode");
                await().during(LEASE.multipliedBy(4))
                        .atMost(LEASE.multipliedBy(5))
                        .until(() -> isTrusted(outbox));
            }
        }
    }

    // The relay trusts a sign of life for three quarters of what it says.
    private static boolean isTrusted(OutboxFixture outbox) {
        return outbox.dsl.fetchExists(
                DSL.table(outbox.schema.table("relay_liveness")),
                DSL.condition("alive_until - clock_timestamp() > interval '750 milliseconds'"));
    }
}
