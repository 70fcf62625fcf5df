package dev.waybill.proof.database;

import dev.waybill.embedded.postgres.PostgresNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;

/** A primary and its standby. The cast signs in as a role that is no superuser. Thread-safe. */
public final class ServerPair implements Servers {
    private static final String ROLE = "proof_app";

    private PostgresNode primary;
    private PostgresNode standby;

    private ServerPair(PostgresNode primary, PostgresNode standby) {
        this.primary = primary;
        this.standby = standby;
    }

    /** Both, with the tables. */
    public static ServerPair start() throws SQLException {
        PostgresNode primary = PostgresNode.start();
        primary.execute("create role " + ROLE + " login");
        primary.execute("grant create on database postgres to " + ROLE);
        primary.execute("grant create, usage on schema public to " + ROLE);
        primary.execute("grant pg_monitor to " + ROLE);
        // As docs/operations/running.md says: else a transaction that a firewall has forgotten locks its sessions for
        // ever.
        primary.execute("alter role " + ROLE + " set idle_in_transaction_session_timeout = '20s'");
        Tables.create(urlOf(primary.port()));
        return new ServerPair(primary, primary.newStandby());
    }

    private static String urlOf(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + ROLE
                + "&socketTimeout=20&connectTimeout=5&tcpKeepAlive=true";
    }

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), primary().port());
    }

    @Override
    public String url(int port) {
        return urlOf(port);
    }

    @Override
    public Connection connect() throws SQLException {
        return primary().connect();
    }

    @Override
    public String role() {
        return ROLE;
    }

    public synchronized PostgresNode primary() {
        return primary;
    }

    /** The standby takes over with all that was committed. */
    public synchronized void promoteCaughtUp() throws SQLException {
        standby.awaitReplayed(primary);
        primary.stop();
        promote();
    }

    /**
     * The standby stops receiving, and takes over some time later: what was committed in between is lost.
     *
     * @param lag waits between the two
     */
    public synchronized void promoteWithLoss(Runnable lag) throws SQLException {
        standby.stopReceiving();
        lag.run();
        primary.crash();
        promote();
    }

    private void promote() throws SQLException {
        PostgresNode old = primary;
        standby.promote();
        primary = standby;
        old.close();
        standby = primary.newStandby();
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
