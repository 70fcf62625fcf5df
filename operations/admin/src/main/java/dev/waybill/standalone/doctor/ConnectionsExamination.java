package dev.waybill.standalone.doctor;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.database.Pools;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Examines how relays reach a database: whether notifications arrive, and whether the server has enough connections. */
final class ConnectionsExamination {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Configuration configuration;
    private final DatabaseSettings database;
    private final DataSource pool;
    private final DSLContext dsl;
    private final Findings findings;
    private final String where;

    ConnectionsExamination(Configuration configuration, DatabaseSettings database, DataSource pool, Findings findings) {
        this.configuration = configuration;
        this.database = database;
        this.pool = pool;
        this.dsl = DSL.using(pool, SQLDialect.POSTGRES);
        this.findings = findings;
        this.where = "database " + database.name();
    }

    void run() {
        if (configuration.relay().listen()) {
            notifications();
        }
        // A pooler has limits of its own.
        if (dsl.connectionResult(ConnectionsExamination::isDirect)) {
            budget();
        }
    }

    private void notifications() {
        try (Connection listener = pool.getConnection();
                Connection sender = pool.getConnection()) {
            if (keepTheirProcesses(listener, sender) && arrives(listener, sender)) {
                return;
            }
        } catch (SQLException e) {
            findings.unverified(Diagnosis.WAKE_UPS, where, DatabaseFailure.why(e));
            return;
        }
        findings.warning(
                Diagnosis.WAKE_UPS,
                where,
                "no notification arrives by " + DatabaseFailure.hosts(database)
                        + ": a pooler in transaction or statement mode stands before the server",
                "writers in other processes cannot wake the relay: a message waits up to relay.longest-idle ("
                        + Times.text(configuration.relay().polling().longestIdle()) + ")",
                "waybill-relay config print   # database." + database.name()
                        + ".url: the server's own port, on Azure 5432 and not 6432; or relay.listen: false");
    }

    // Asked first, because a LISTEN would stay on a process that the pooler shares.
    private static boolean keepTheirProcesses(Connection listener, Connection sender) throws SQLException {
        Set<Integer> ofListener = new HashSet<>();
        Set<Integer> ofSender = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            ofListener.add(process(listener));
            ofSender.add(process(sender));
            ofSender.add(process(sender));
            ofListener.add(process(listener));
        }
        return ofListener.size() == 1 && ofSender.size() == 1 && Collections.disjoint(ofListener, ofSender);
    }

    private static boolean arrives(Connection listener, Connection sender) throws SQLException {
        String channel = "waybill_doctor_" + UUID.randomUUID().toString().replace('-', '_');
        try (Statement listening = listener.createStatement();
                Statement sending = sender.createStatement()) {
            listening.execute("listen " + channel);
            try {
                sending.execute("notify " + channel);
                PGNotification[] arrived =
                        listener.unwrap(PGConnection.class).getNotifications((int) PATIENCE.toMillis());
                return arrived != null
                        && Arrays.stream(arrived)
                                .anyMatch(each -> each.getName().equals(channel));
            } finally {
                listening.execute("unlisten " + channel);
            }
        }
    }

    // A pooler invents the process that it names at the sign-in.
    private static boolean isDirect(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getBackendPID() == process(connection);
    }

    private static int process(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }

    private void budget() {
        int relays =
                Math.max(1, dsl.fetchSingle(RELAYS.formatted(database.schema())).get(0, Integer.class));
        int needed = Pools.most(database, configuration.console(), relays);
        Record limit = dsl.fetchSingle(LIMITS);
        int missing = needed - limit.get("room", Integer.class);
        if (missing > 0) {
            findings.warning(
                    Diagnosis.CONNECTIONS,
                    where,
                    "relays, console and commands may open " + needed + " connections (relays: " + relays
                            + ", pool-size: " + database.connection().poolSize() + "), and " + limit.get("name")
                            + " has room for " + limit.get("room") + " beside other programs",
                    limit.get("statement", String.class)
                            + (limit.get("setting", Integer.class) + missing) + ";   # " + limit.get("remark")
                            + "or a smaller database." + database.name() + ".pool-size, or fewer relays");
        }
    }

    // Relays inside of applications use the applications' pools.
    private static final String RELAYS = """
            select count(*) from %1$s.relay r
            where r.alive_until > clock_timestamp() and exists (select from pg_stat_activity a
              where a.datname = current_database() and a.application_name = left('waybill-relay ' || r.name, 63))
            """;

    // The tightest limit, as the room that it leaves beside programs other than waybill-relay on this database.
    private static final String LIMITS = """
            with session as (
              select datname = current_database() as here, usename = session_user as mine,
                datname = current_database() and application_name like 'waybill-relay %' as ours
              from pg_stat_activity
              where datname is not null and usename is not null
                and coalesce(backend_type, 'client backend') = 'client backend')
            select 'max_connections' as name, current_setting('max_connections')::int as setting,
              current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                - coalesce(current_setting('reserved_connections', true)::int, 0)
                - (select count(*) from session where not ours)::int as room,
              'alter system set max_connections = ' as statement,
              'with a restart, on Azure as a server parameter; ' as remark
            union all
            select 'the limit of database ' || datname, datconnlimit,
              datconnlimit - (select count(*) from session where here and not ours)::int,
              'alter database ' || quote_ident(datname) || ' connection limit ', ''
            from pg_database where datname = current_database() and datconnlimit >= 0
            union all
            select 'the limit of role ' || rolname, rolconnlimit,
              rolconnlimit - (select count(*) from session where mine and not ours)::int,
              'alter role ' || quote_ident(rolname) || ' connection limit ', ''
            from pg_roles where rolname = session_user and rolconnlimit >= 0
            order by room limit 1
            """;
}
