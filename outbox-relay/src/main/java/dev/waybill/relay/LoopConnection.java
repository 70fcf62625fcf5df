package dev.waybill.relay;

import dev.waybill.supervision.OutsideFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.QueryPart;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConnectionProvider;
import org.postgresql.PGStatement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection of a destination's loop, and with it the one server process that its cursors belong to. A
 * server process cannot outlive a crash or a failover of its server, so nothing that was read before one is
 * believed after it.
 *
 * <p>The process carries a {@linkplain #token() token} as a setting of its session. Statements compare it, because
 * a pooler between client and server can answer from another process without anybody noticing. Confined to the
 * loop's thread.
 */
final class LoopConnection implements AutoCloseable {
    /** The setting that holds the token: nothing but this very server process has it. */
    static final String SETTING = "waybill.loop";

    private static final Logger LOG = LoggerFactory.getLogger(LoopConnection.class);

    // Only there do all versions know how to see that a client has gone, and elsewhere they refuse the setting.
    private static final String CHECK_CLIENT = "case when version() like '%linux%' then '1s'"
            + " else current_setting('client_connection_check_interval') end";

    // A plan that is made anew for each page costs more than the page itself, and that is what the server comes to
    // once a partition has been analysed. Machine code is made for each page anew as well, and costs many times the
    // page. A row that a policy hides would count as not there, hence as published: better an error. A server that
    // does not look after its client goes on with a read that the loop has given up, beside the one that the loop
    // begins instead. Without nulls in arrays, a null that travels in one arrives as the text NULL.
    private static final List<Setting> SETTINGS = List.of(
            new Setting("plan_cache_mode", "'force_generic_plan'"),
            new Setting("jit", "'off'"),
            new Setting("row_security", "'off'"),
            new Setting("array_nulls", "'on'"),
            new Setting("default_transaction_isolation", "'read committed'"),
            new Setting("client_connection_check_interval", CHECK_CLIENT));

    private static final String PREPARE = "select set_config('" + SETTING + "', {0}, false), "
            + each(setting -> "set_config('" + setting.name + "', " + setting.value + ", false)");

    private static final String FOUND =
            "select pg_is_in_recovery(), has_function_privilege('pg_sleep(double precision)', 'execute'), "
                    + each(setting -> "current_setting('" + setting.name + "')");

    // To what was found, which need not be the session's default: a pool sets the isolation of its
    // connections only once.
    private static final String RESTORE = "select set_config('" + SETTING + "', '', false), "
            + each(setting -> "set_config('" + setting.name + "', {" + SETTINGS.indexOf(setting) + "}, false)");

    private final DSLContext pool;
    private final Connection connection;
    private final DSLContext dsl;
    private final String token = UUID.randomUUID().toString();
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private final Runnable onEnd;
    private QueryPart[] found = {};
    private boolean maySleep;

    private LoopConnection(DSLContext pool, Connection connection, Runnable onEnd) {
        this.pool = pool;
        this.onEnd = onEnd;
        this.connection = connection;
        this.dsl = DSL.using(pool.configuration().derive(new DefaultConnectionProvider(connection)));
    }

    /**
     * Takes a connection for as long as the loop trusts it.
     *
     * @param onEnd called once when it is given back or thrown away; not if this fails
     * @throws DataAccessException if there is none
     * @throws IllegalStateException if its server is a standby
     */
    static LoopConnection open(DSLContext pool, Runnable onEnd) {
        Connection connection = pool.configuration().connectionProvider().acquire();
        if (connection == null) {
            throw new Unusable("The pool has no connection");
        }
        var opened = new LoopConnection(pool, connection, onEnd);
        try {
            opened.prepare();
            return opened;
        } catch (RuntimeException | Error e) {
            opened.throwAway();
            throw e;
        }
    }

    private void prepare() {
        Record session = dsl.fetchSingle(FOUND);
        if (session.get(0, Boolean.class)) {
            throw new Unusable("The server is a standby: a relay needs the primary, so name it in the URL"
                    + " (targetServerType=primary where there are several hosts)");
        }
        found = IntStream.rangeClosed(1, SETTINGS.size())
                .mapToObj(place -> DSL.val(session.get(place + 1, String.class)))
                .toArray(QueryPart[]::new);
        maySleep = session.get(1, Boolean.class);
        dsl.fetch(PREPARE, DSL.val(token));
    }

    private static String each(Function<Setting, String> part) {
        return SETTINGS.stream().map(part).collect(Collectors.joining(", "));
    }

    DSLContext dsl() {
        return dsl;
    }

    /** The answer of {@code current_setting('waybill.loop')} if it is still the same server process. */
    String token() {
        return token;
    }

    /** Whether statements may have the server wait: some revoke {@code pg_sleep} from everybody. */
    boolean maySleep() {
        return maySleep;
    }

    /** The statement, prepared once and kept as long as the connection. */
    PreparedStatement statement(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            sendBinary(statement);
            prepared.put(sql, statement);
        }
        return statement;
    }

    // Else the driver has bodies sent as text, at four times the price, until it has run a statement five times; and
    // each partition has statements of its own. Where it may prepare nothing on the server, as behind a pooler, it
    // stays so. A wrapper that does not give its driver out costs time, no message.
    private static void sendBinary(PreparedStatement statement) {
        try {
            if (statement.isWrapperFor(PGStatement.class)) {
                PGStatement driver = statement.unwrap(PGStatement.class);
                if (driver.getPrepareThreshold() > 0) {
                    driver.setPrepareThreshold(-1);
                }
            }
        } catch (SQLException | RuntimeException | LinkageError e) {
            LOG.debug("The driver's statement cannot be reached: the pool or driver is an older one", e);
        }
    }

    /** Gives a sound connection back. */
    @Override
    public void close() {
        try {
            for (PreparedStatement statement : prepared.values()) {
                statement.close();
            }
            dsl.fetch(RESTORE, found);
            pool.configuration().connectionProvider().release(connection);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be given back as it was", e);
            throwAway();
        } finally {
            onEnd.run();
        }
    }

    /** A setting of the session as the loop needs it, as an expression. */
    private record Setting(String name, String value) {}

    /** Nobody can work with this connection. */
    private static final class Unusable extends IllegalStateException implements OutsideFailure {
        private static final long serialVersionUID = 1L;

        Unusable(String why) {
            super(why);
        }
    }

    /** Throws away a connection that nobody knows the state of: no pool is to hand it out again. */
    void abandon() {
        try {
            throwAway();
        } finally {
            onEnd.run();
        }
    }

    private void throwAway() {
        AbortedConnection.release(connection, pool);
    }
}
