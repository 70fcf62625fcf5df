package dev.waybill.proof.database;

import dev.waybill.embedded.postgres.PostgresNode;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;

/** A primary and its standby, with the tables of the proof. The cast signs in as a role that is no superuser. */
public final class Servers implements AutoCloseable {
    /** The role of the cast. */
    public static final String ROLE = "proof_app";

    private static final String ACCOUNTS = """
            insert into account select 'bank-' || n, %d from generate_series(0, 15) n union all select 'bank-long', %d
            """;

    /** What each bank begins with, in cents. */
    public static final long CAPITAL = 1_000_000_000_000L;

    /** How many banks there are. */
    public static final int BANKS = 17;

    private PostgresNode primary;
    private PostgresNode standby;

    private Servers(PostgresNode primary, PostgresNode standby) {
        this.primary = primary;
        this.standby = standby;
    }

    /** Both, migrated. */
    public static Servers start() throws SQLException {
        PostgresNode primary = PostgresNode.start();
        primary.execute("create role " + ROLE + " login");
        primary.execute("grant create on database postgres to " + ROLE);
        primary.execute("grant create, usage on schema public to " + ROLE);
        primary.execute("grant pg_monitor to " + ROLE);
        try (var pool = PostgresServer.pool(url(primary.port()), 4)) {
            Migrations.of(pool).apply(Feature.all());
            try (var connection = pool.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute(resource("tables.sql"));
                statement.execute(ACCOUNTS.formatted(CAPITAL, CAPITAL));
            }
        }
        return new Servers(primary, primary.newStandby());
    }

    /** The URL of the cast through a port of this machine. */
    public static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + ROLE
                + "&socketTimeout=20&connectTimeout=5&tcpKeepAlive=true";
    }

    public synchronized PostgresNode primary() {
        return primary;
    }

    public synchronized PostgresNode standby() {
        return standby;
    }

    /** The standby takes over with all that was committed. */
    public synchronized void promoteCaughtUp() throws SQLException {
        primary.stop();
        promote();
    }

    /**
     * The standby stops receiving, and takes over some time later: what was committed in between is lost.
     *
     * @param lag waits between the two
     * @return a moment before the first commit that is lost, by the database's clock
     */
    public synchronized Instant promoteWithLoss(Runnable lag) throws SQLException {
        Instant before = now(primary);
        standby.stopReceiving();
        lag.run();
        primary.crash();
        promote();
        return before;
    }

    private void promote() throws SQLException {
        PostgresNode old = primary;
        standby.promote();
        primary = standby;
        old.close();
        standby = primary.newStandby();
    }

    private static Instant now(PostgresNode node) throws SQLException {
        try (var connection = node.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select clock_timestamp()")) {
            rows.next();
            return rows.getTimestamp(1).toInstant();
        }
    }

    static String resource(String name) {
        try (var in = Servers.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The resource " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            standby.close();
        } finally {
            primary.close();
        }
    }
}
