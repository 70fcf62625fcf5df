package dev.waybill.proof.database;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Destinations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.replay.Failover;
import dev.waybill.standalone.replay.OutboxReplay;
import dev.waybill.standalone.replay.ReplaySelection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** What an operator sends again after a loss, by the tools of the product. */
public final class Replay {
    private static final SchemaName SCHEMA = SchemaName.DEFAULT;
    private static final String DESTINATION = "transfers";
    private static final AuditContext BY = new AuditContext("operator", "the namespace is lost");
    private static final long SENDS_IN_FLIGHT_SECONDS = 7;
    private static final int PATIENCE_SECONDS = 120;

    /** What was published before has all its effects; the witness may be some seconds late. */
    private static final String FIRST_WITHOUT_EFFECT = """
            select least(min(published_at), now() - interval '30 seconds')
            from waybill.outbox_published join truth on id = message_id
            cross join unnest(array['ledger', 'audit', 'notify']) as name (consumer)
            where (notified or name.consumer <> 'notify')
                and not exists (select from effect where effect.id = truth.id and effect.consumer = name.consumer)
                and not exists (select from skipped where skipped.id = truth.id and skipped.consumer = name.consumer)
            """;

    private Replay() {}

    /**
     * Sends copies of what was published since the first message without effect, behind all that waits.
     *
     * @return how many
     */
    public static long ofLostEffects(Servers servers) throws SQLException, InterruptedException {
        try (var pool = PostgresServer.pool(servers.url(servers.address().getPort()), 3)) {
            awaitPublished(pool);
            Instant time = firstWithoutEffect(pool);
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
    public static long intoNewNamespace(Servers servers, Runnable lead) throws SQLException, InterruptedException {
        try (var pool = PostgresServer.pool(servers.url(servers.address().getPort()), 3)) {
            var destinations = Destinations.of(pool, SCHEMA);
            destinations.pause(DESTINATION, BY);
            TimeUnit.SECONDS.sleep(SENDS_IN_FLIGHT_SECONDS);
            lead.run();
            Failover.Run run = Failover.of(pool, SCHEMA).run(DESTINATION, Optional.of(firstWithoutEffect(pool)));
            long again = 0;
            while (!run.isDone()) {
                again += run.step();
            }
            destinations.resume(DESTINATION, BY);
            return again;
        }
    }

    private static Instant firstWithoutEffect(DataSource pool) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(FIRST_WITHOUT_EFFECT)) {
            rows.next();
            return rows.getTimestamp(1).toInstant();
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
