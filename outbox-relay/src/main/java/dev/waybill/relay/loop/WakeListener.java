package dev.waybill.relay.loop;

import dev.waybill.outbox.WakeChannel;
import dev.waybill.relay.connect.AbortedConnection;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.Fault;
import dev.waybill.supervision.StopSignal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives notifications of writers in other processes and wakes the loop, which polls anyway. Thread-safe. */
final class WakeListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WakeListener.class);

    /** Short, because a stop takes effect only between waits. A wait sends nothing to the server. */
    private static final int WAIT_MILLIS = 200;

    /** Silent waits after which the connection is tested. */
    private static final int WAITS_BEFORE_CHECK = 150;

    /** The server's timeout for idle sessions; 0 for none. Old versions have no such setting. */
    private static final String IDLE_LIMIT =
            "select setting::bigint from pg_settings where name = 'idle_session_timeout'";

    private static final Duration REST_AFTER_FAILURE = Duration.ofSeconds(5);

    private final DSLContext pool;
    private final String channel;
    private final Consumer<Set<String>> wake;
    private final RelayThread thread;
    private @Nullable Connection connection;
    private int silent;
    private int waitsBeforeCheck = WAITS_BEFORE_CHECK;
    private boolean failing;
    private final Fault fault = new Fault(LOG, System::nanoTime);
    private volatile boolean closing;

    /** @param wake receives the payloads of notifications */
    WakeListener(DSLContext pool, SchemaName schema, Consumer<Set<String>> wake) {
        this.pool = pool;
        this.channel = WakeChannel.of(schema);
        this.wake = wake;
        Supplier<Duration> step = this::step;
        this.thread = new RelayThread("waybill-relay-listener", step, this::letGo, new StopSignal());
    }

    Fault fault() {
        return fault;
    }

    void start() {
        thread.start();
    }

    private Duration step() {
        try {
            receive(listening());
            failing = false;
            fault.recovered("Notifications are received again");
            return Duration.ZERO;
        } catch (SQLException | RuntimeException e) {
            if (!closing) {
                fault.failed("Notifications cannot be received; the relay only polls", e);
            }
            failing = true;
            letGo();
            return REST_AFTER_FAILURE;
        }
    }

    private void receive(Connection listening) throws SQLException {
        var notifications = listening.unwrap(PGConnection.class).getNotifications(WAIT_MILLIS);
        if (notifications != null && notifications.length > 0) {
            silent = 0;
            wake.accept(Arrays.stream(notifications)
                    .map(PGNotification::getParameter)
                    .collect(Collectors.toSet()));
        } else if (++silent >= waitsBeforeCheck) {
            silent = 0;
            execute(listening, "select 1");
        }
    }

    private Connection listening() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = pool.configuration().connectionProvider().acquire();
            if (open == null) {
                throw new SQLException("The pool returned no connection");
            }
            connection = open;
            waitsBeforeCheck = waitsBeforeCheck(open);
            execute(open, "listen \"" + channel + '"');
        }
        return open;
    }

    // Tests the connection before the server ends the idle session.
    private static int waitsBeforeCheck(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet limit = statement.executeQuery(IDLE_LIMIT)) {
            long millis = limit.next() ? limit.getLong(1) : 0;
            return millis == 0
                    ? WAITS_BEFORE_CHECK
                    : (int) Math.max(1, Math.min(WAITS_BEFORE_CHECK, millis / 2 / WAIT_MILLIS));
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void letGo() {
        Connection open = connection;
        connection = null;
        if (open == null) {
            return;
        }
        try {
            if (!failing) {
                execute(open, "unlisten *");
                pool.configuration().connectionProvider().release(open);
                return;
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("The listening connection could not be released", e);
        }
        AbortedConnection.release(open, pool);
    }

    @Override
    public void close() {
        closing = true;
        thread.stop();
        thread.join(Duration.ofMillis(10L * WAIT_MILLIS));
    }
}
