package dev.waybill.proof.database;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Destinations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.replay.Failover;
import dev.waybill.standalone.replay.OutboxReplay;
import dev.waybill.standalone.replay.ReplaySelection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** What an operator sends again after a loss, by the tools of the product. */
public final class Replay {
    /** How long a message may wait between its publication and its effect: a replay begins so much before the loss. */
    public static final Duration BEFORE = Duration.ofMinutes(5);

    private static final SchemaName SCHEMA = SchemaName.DEFAULT;
    private static final String DESTINATION = "transfers";
    private static final AuditContext BY = new AuditContext("operator", "the namespace is lost");
    private static final long SENDS_IN_FLIGHT_SECONDS = 7;
    private static final int PATIENCE_SECONDS = 120;

    private Replay() {}

    /**
     * Sends copies of what was published since then, behind all that waits.
     *
     * @return how many
     */
    public static long since(Servers servers, Instant time) throws SQLException, InterruptedException {
        try (var pool = PostgresServer.pool(servers.url(servers.address().getPort()), 3)) {
            awaitPublished(pool);
            try (var connection = pool.getConnection();
                    var statement = connection.prepareStatement("insert into replayed select distinct message_id"
                            + " from waybill.outbox_published where published_at >= ? on conflict do nothing")) {
                statement.setTimestamp(1, java.sql.Timestamp.from(time));
                statement.executeUpdate();
            }
            OutboxReplay replay = OutboxReplay.of(pool, SCHEMA);
            return replay.finish(replay.begin(ReplaySelection.of(DESTINATION).from(time), "a promotion lost effects"));
        }
    }

    // A row that waits is sent under its own id, and the broker drops it if it had it: then only a copy brings it to
    // consumers.
    private static void awaitPublished(DataSource pool) throws SQLException, InterruptedException {
        long last = number(pool, "select coalesce(max(seq), 0) from waybill.outbox_message");
        for (int i = 0; i < PATIENCE_SECONDS; i++) {
            if (number(pool, "select count(*) from waybill.outbox_message where seq <= " + last) == 0) {
                return;
            }
            TimeUnit.SECONDS.sleep(1);
        }
    }

    /**
     * Sends again what the lost namespace had.
     *
     * @param lead leads the cast to the new namespace
     * @return how many messages
     */
    public static long intoNewNamespace(Servers servers, Runnable lead) throws InterruptedException {
        try (var pool = PostgresServer.pool(servers.url(servers.address().getPort()), 3)) {
            var destinations = Destinations.of(pool, SCHEMA);
            destinations.pause(DESTINATION, BY);
            TimeUnit.SECONDS.sleep(SENDS_IN_FLIGHT_SECONDS);
            lead.run();
            Failover.Run run = Failover.of(pool, SCHEMA).run(DESTINATION, Optional.empty());
            long again = 0;
            while (!run.isDone()) {
                again += run.step();
            }
            destinations.resume(DESTINATION, BY);
            return again;
        }
    }

    private static long number(DataSource pool, String sql) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
