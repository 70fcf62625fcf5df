package dev.waybill.embedded.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL of its own that a test may crash, freeze and promote, always from the embedded binaries, on the loopback
 * interface. {@link #start()} takes well under a second, and about three once per JVM. Closing it ends the processes and
 * deletes the files, whatever state they are in; so does the end of the JVM. Not thread-safe.
 */
public final class PostgresNode implements AutoCloseable {
    private final ServerTemplate template;
    private final DataDirectory directory;
    private final ReservedPort port;
    private final @Nullable PostgresNode primary;
    private final Thread atExit = new Thread(this::remove, "postgres-node-exit");
    private ServerProcess process;
    private boolean closed;

    private PostgresNode(ServerTemplate template, DataDirectory directory, @Nullable PostgresNode primary)
            throws IOException {
        this.template = template;
        this.directory = directory;
        this.primary = primary;
        this.port = ReservedPort.any();
        this.process = ServerProcess.start(template.binaries(), directory, port.number());
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** A fresh cluster: its transaction ids begin below 1,000. */
    public static PostgresNode start() {
        PostgresNode node = launch(null);
        node.awaitReady();
        return node;
    }

    /** A server that still starts; as a standby, if a primary is given that has just been copied from the template. */
    static PostgresNode launch(@Nullable PostgresNode primary) {
        ServerTemplate template = ServerTemplate.get();
        try {
            DataDirectory directory = template.directory().copy();
            if (primary != null) {
                directory.follow(primary.connectionForStandby());
            }
            return new PostgresNode(template, directory, primary);
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL cannot be copied", e);
        }
    }

    /**
     * Another server that begins with a copy of this one and receives from it, whatever this one was before: a promoted
     * standby gets a standby again. It takes connections when this returns, and may still lag. The caller's to close.
     */
    public PostgresNode newStandby() throws SQLException {
        try (var connection = connect()) {
            DataDirectory copy = BaseBackup.take(connection, directory);
            copy.follow(connectionForStandby());
            var standby = new PostgresNode(template, copy, this);
            standby.awaitReady();
            return standby;
        } catch (IOException e) {
            throw new UncheckedIOException("The copy cannot be made a standby", e);
        }
    }

    /** URL of the superuser. */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + address() + "/postgres?user=postgres";
    }

    /** Where it listens. */
    public int port() {
        return port.number();
    }

    String address() {
        return "127.0.0.1:" + port.number();
    }

    /** A connection of the superuser, the caller's to close. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl());
    }

    /** Runs statements in auto-commit mode. */
    public void execute(String sql) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row, as text. */
    public String value(String sql) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** Ends all processes at once; connections break, nothing is written any more. */
    public void crash() {
        process.crash();
    }

    /** Ends all sessions and then the server, as an operator does: a fast shutdown. */
    public void stop() {
        process.stop();
    }

    /** Starts a crashed or stopped server again on the same port; returns when it serves. */
    public void restart() {
        if (process.isAlive()) {
            throw new IllegalStateException("The server runs");
        }
        process = ServerProcess.start(template.binaries(), directory, port.number());
        awaitReady();
    }

    /** Stops all processes where they stand: connections stay open and nobody answers. */
    public void freeze() {
        process.freeze();
    }

    /** Lets frozen processes go on. They then execute the statements that clients have sent meanwhile. */
    public void thaw() {
        process.thaw();
    }

    /** Lets a standby fall behind: it keeps what it has and receives no more, until {@link #resumeReceiving}. */
    public void stopReceiving() throws SQLException {
        receiveFrom("");
        Polling.until(
                "the standby lets go of the primary",
                () -> value("select count(*) from pg_stat_wal_receiver").equals("0"));
    }

    /** Lets a standby receive again. */
    public void resumeReceiving() throws SQLException {
        if (primary == null) {
            throw new IllegalStateException("The server has never been a standby");
        }
        receiveFrom(primary.connectionForStandby());
    }

    /** Returns once this standby shows everything that the primary has committed so far. */
    public void awaitReplayed(PostgresNode primary) throws SQLException {
        String written = primary.value("select pg_current_wal_flush_lsn()");
        Polling.until(
                "the standby has caught up",
                () -> value("select coalesce(pg_last_wal_replay_lsn() >= '" + written + "', false)")
                        .equals("t"));
    }

    /** Makes a standby a primary; returns when it takes writes. */
    public void promote() throws SQLException {
        execute("select pg_promote(true, 30)");
        Polling.until(
                "the standby is promoted",
                () -> value("select pg_is_in_recovery()").equals("f"));
    }

    private void receiveFrom(String connection) throws SQLException {
        execute("alter system set primary_conninfo = '" + connection + "'");
        execute("select pg_reload_conf()");
    }

    void awaitReady() {
        Polling.until("PostgreSQL takes connections", () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(
                        "PostgreSQL ended while it started:\n" + ServerProcess.lastLines(directory));
            }
            try (var connection = connect()) {
                return connection.isValid(1);
            } catch (SQLException e) {
                return false;
            }
        });
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Runtime.getRuntime().removeShutdownHook(atExit);
            remove();
        }
    }

    private void remove() {
        process.crash();
        try (port) {
            directory.delete();
        } catch (IOException e) {
            throw new UncheckedIOException("The files of the embedded PostgreSQL cannot be deleted", e);
        }
    }

    private String connectionForStandby() {
        return "host=127.0.0.1 port=" + port.number() + " user=postgres";
    }
}
