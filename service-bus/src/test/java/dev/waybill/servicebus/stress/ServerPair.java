package dev.waybill.servicebus.stress;

import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresNode;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Migrations;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * A primary and its asynchronous standby, at two places that routes lead to. One that has gone is replaced by a new standby at
 * its place. Only {@link #primary()} may be called from any thread.
 */
final class ServerPair implements AutoCloseable {
    static final String TRUTH = "waybill.truth";

    private static final String OTHER_SESSIONS = """
            select count(pg_terminate_backend(pid)) from pg_stat_activity
            where backend_type = 'client backend' and pid <> pg_backend_pid()
            """;

    private static final String RECORDED_XID = """
            select coalesce(max(next_xid::text::bigint), 0) from waybill.outbox_cursor
            """;

    private final List<Route> routes;
    private volatile PostgresNode primary;
    private PostgresNode standby;
    private int place;
    private boolean lagging;

    ServerPair(List<Route> routes) throws SQLException {
        this.routes = List.copyOf(routes);
        primary = migrated();
        standby = primary.newStandby();
        lead(place, primary);
        lead(1 - place, standby);
    }

    /** Where clients' writes go now. */
    PostgresNode primary() {
        return primary;
    }

    /** Begins or ends that the standby receives nothing. */
    void lagOrCatchUp() throws SQLException {
        if (lagging) {
            standby.resumeReceiving();
        } else {
            standby.stopReceiving();
        }
        lagging = !lagging;
    }

    /** The standby is to have everything that is committed now. */
    void catchUp() throws SQLException {
        if (lagging) {
            lagOrCatchUp();
        }
        standby.awaitReplayed(primary);
    }

    boolean isLagging() {
        return lagging;
    }

    /** The primary ends at once, and the standby takes its place with what it has. */
    void failOver() throws SQLException {
        primary.crash();
        PostgresNode old = promote();
        replace(old);
    }

    /**
     * The primary stands still, and when the standby has taken its place it goes on: with the connections that it had, while
     * no new one finds it.
     *
     * @param still before its place refuses connections, and again before it goes on
     * @param after before it ends
     */
    void failOverFromFrozen(Runnable still, Runnable after) throws SQLException {
        primary.freeze();
        PostgresNode old = promote();
        still.run();
        routes.forEach(route -> route.refuse(1 - place));
        still.run();
        old.thaw();
        after.run();
        replace(old);
    }

    private PostgresNode promote() throws SQLException {
        PostgresNode old = primary;
        standby.promote();
        primary = standby;
        place = 1 - place;
        return old;
    }

    private void replace(PostgresNode old) throws SQLException {
        routes.forEach(route -> route.refuse(1 - place));
        old.close();
        standby = primary.newStandby();
        lagging = false;
        lead(1 - place, standby);
    }

    /** The primary ends at once and comes back by itself. */
    void restart() {
        primary.crash();
        primary.restart();
    }

    /**
     * The rows are restored into another cluster, whose transaction ids are behind those that are recorded.
     *
     * @param last is let go on only when {@code seen} has returned
     * @return whether the ids were far enough for that
     */
    boolean restoreElsewhere(Route last, Runnable seen) throws SQLException, IOException {
        PostgresNode fresh = migrated();
        long next = Long.parseLong(fresh.value("select pg_snapshot_xmax(pg_current_snapshot())"));
        if (Long.parseLong(primary.value(RECORDED_XID)) < next + 300) {
            fresh.close();
            return false;
        }
        routes.forEach(route -> {
            route.refuse(0);
            route.refuse(1);
            route.cut();
        });
        awaitNoOtherSession();
        RestoredDump.copy(primary, fresh);
        PostgresNode old = primary;
        PostgresNode oldStandby = standby;
        standby = fresh.newStandby();
        primary = fresh;
        lagging = false;
        for (Route route : routes) {
            if (route != last) {
                lead(route);
            }
        }
        oldStandby.close();
        old.close();
        seen.run();
        lead(last);
        return true;
    }

    private void awaitNoOtherSession() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> primary.value(OTHER_SESSIONS).equals("0"));
    }

    private static PostgresNode migrated() throws SQLException {
        PostgresNode node = PostgresNode.start();
        try (var pool = PostgresServer.pool(node.jdbcUrl(), 4)) {
            Migrations.of(pool).apply();
            Writer.createTruth(DSL.using(pool, SQLDialect.POSTGRES), TRUTH);
        }
        return node;
    }

    private void lead(int to, PostgresNode node) {
        routes.forEach(route -> route.lead(to, node.port()));
    }

    private void lead(Route route) {
        route.lead(place, primary.port());
        route.lead(1 - place, standby.port());
    }

    @Override
    public void close() {
        try {
            standby.close();
        } finally {
            primary.close();
        }
    }
}
