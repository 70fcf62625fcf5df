package dev.waybill.embedded.postgres;

import java.sql.SQLException;

/**
 * A primary and its asynchronous streaming standby, two {@link PostgresNode}s: for tests of what a failover does to those
 * who were connected. Ready within a second or two. Not thread-safe.
 */
public final class ReplicatedPostgres implements AutoCloseable {
    private final PostgresNode primary;
    private final PostgresNode standby;

    private ReplicatedPostgres(PostgresNode primary, PostgresNode standby) {
        this.primary = primary;
        this.standby = standby;
    }

    /** Both, the standby receiving. */
    public static ReplicatedPostgres start() throws SQLException {
        PostgresNode primary = PostgresNode.launch(null);
        try {
            PostgresNode standby = PostgresNode.launch(primary);
            try {
                primary.awaitReady();
                standby.awaitReady();
                var pair = new ReplicatedPostgres(primary, standby);
                pair.awaitCaughtUp();
                return pair;
            } catch (SQLException | RuntimeException e) {
                standby.close();
                throw e;
            }
        } catch (SQLException | RuntimeException e) {
            primary.close();
            throw e;
        }
    }

    /** The server that began as the primary, whatever it is now. */
    public PostgresNode primary() {
        return primary;
    }

    /** The server that began as the standby, whatever it is now. */
    public PostgresNode standby() {
        return standby;
    }

    /**
     * URL of both that leads to whichever takes writes; to the first of them, if both do. The driver asks anew which one it
     * is, instead of remembering it for 10 s.
     */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + primary.address() + "," + standby.address()
                + "/postgres?user=postgres&targetServerType=primary&hostRecheckSeconds=0";
    }

    /** Returns once the standby shows everything that the primary has committed so far. */
    public void awaitCaughtUp() throws SQLException {
        standby.awaitReplayed(primary);
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
