package dev.waybill.benchmarks.environment;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.schema.SchemaName;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** A schema with Waybill's tables and pools to reach it; gone when closed. */
public final class OutboxSchema implements AutoCloseable {
    private static final int OBSERVERS = 2;
    // The embedded server's default is off, which no application with an outbox should run with.
    private static final String SYNCHRONOUS = "&options=-c%20synchronous_commit=on";

    private final String jdbcUrl;
    private final SchemaName name;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final DSLContext dsl;

    private OutboxSchema(String jdbcUrl, SchemaName name) {
        this.jdbcUrl = jdbcUrl;
        this.name = name;
        this.dsl = dsl(pool("observer", OBSERVERS));
    }

    static OutboxSchema create(String jdbcUrl, SchemaName name) {
        var schema = new OutboxSchema(jdbcUrl, name);
        Migrations.of(schema.pools.get(0), name).apply(Feature.all());
        return schema;
    }

    /** A pool whose connections the server knows by an application name. Closed with the schema. */
    public HikariDataSource pool(String application, int size) {
        var pool = PostgresServer.pool(urlFor(application), size);
        pools.add(pool);
        return pool;
    }

    /** jOOQ on a pool, as an application would set it up. */
    public static DSLContext dsl(HikariDataSource pool) {
        return DSL.using(pool, SQLDialect.POSTGRES, new Settings().withExecuteLogging(false));
    }

    /** For setting up and looking; not for what is measured. */
    public DSLContext dsl() {
        return dsl;
    }

    /** Runs statements as they stand. */
    public void runScript(String script) {
        dsl.connection(connection -> {
            try (var statement = connection.createStatement()) {
                statement.execute(script);
            }
        });
    }

    /** The writers' outbox in this schema. */
    public Outbox outbox() {
        return Outbox.builder().schema(name).build();
    }

    /** One of its tables, for plain SQL. */
    public Table<?> table(String table) {
        return DSL.table(DSL.name(name.value(), table));
    }

    /** The schema's name. */
    public SchemaName name() {
        return name;
    }

    /** The server's URL with an application name, and commits that wait for the log to be written. */
    public String urlFor(String application) {
        return jdbcUrl + (jdbcUrl.contains("?") ? "&" : "?") + "ApplicationName=" + name + "-" + application
                + SYNCHRONOUS;
    }

    /** CPU time of the server processes that serve pools of this application name. */
    public ServerCpu cpuOf(String application) {
        return ServerCpu.of(dsl
                .fetchValues(
                        "select pid from pg_stat_activity where application_name = {0}",
                        DSL.val(name + "-" + application))
                .stream()
                .map(pid -> ((Number) pid).longValue())
                .toList());
    }

    /** CPU time of the whole server, its background processes included. */
    public ServerCpu cpuOfServer() {
        return ServerCpu.ofServerWith(((Number) dsl.fetchValue("select pg_backend_pid()")).longValue());
    }

    /** Leaves no message. */
    public void emptyMessages() {
        dsl.execute("truncate {0}", table("outbox_message"));
    }

    /** How many connections of this application name there are now. */
    public long connections(String application) {
        return ((Number) dsl.fetchValue(
                        "select count(*) from pg_stat_activity where application_name = {0}",
                        DSL.val(name + "-" + application)))
                .longValue();
    }

    /**
     * Brings the tables' statistics up to date, then keeps autovacuum from them: its work falls into whatever is measured when
     * its minute is over.
     */
    public void analyzeOnceForAll() {
        dsl.execute("vacuum (analyze)");
        dsl.fetch(
                        "select format('alter table %I.%I set (autovacuum_enabled = off)', schemaname, tablename)"
                                + " from pg_tables where schemaname = {0}"
                                + " and (schemaname || '.' || tablename)::regclass not in (select partrelid from pg_partitioned_table)",
                        DSL.val(name.value()))
                .getValues(0, String.class)
                .forEach(dsl::execute);
    }

    /** How many statements on this schema the server has run, by pg_stat_statements, which it must have loaded. */
    public long statements() {
        dsl.execute("create extension if not exists pg_stat_statements schema public");
        return ((Number) dsl.fetchValue(
                        "select coalesce(sum(calls), 0) from public.pg_stat_statements where query like {0}",
                        DSL.val("%" + name + "%")))
                .longValue();
    }

    @Override
    public void close() {
        dsl.execute("drop schema " + name + " cascade");
        pools.forEach(HikariDataSource::close);
    }
}
