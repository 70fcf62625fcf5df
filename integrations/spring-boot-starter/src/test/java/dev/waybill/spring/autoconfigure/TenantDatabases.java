package dev.waybill.spring.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** A database for each tenant, t0, t1 and so on, with a pool of a single connection; a thread's tenant is in {@link #TENANT}. */
final class TenantDatabases implements AutoCloseable {
    @SuppressWarnings("ThreadLocalUsage")
    static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

    private static final String TEMPLATE = "tenants_" + ProcessHandle.current().pid();

    private final String serverUrl;
    private final JdbcTemplate server;
    private final Map<String, HikariDataSource> pools = new LinkedHashMap<>();

    /** @param server with the right to create databases */
    TenantDatabases(HikariDataSource server, String serverUrl, SchemaName schema, int count) {
        this.server = new JdbcTemplate(server);
        this.serverUrl = serverUrl;
        this.server.execute("create database " + TEMPLATE);
        try (HikariDataSource template = PostgresServer.pool(url(TEMPLATE), 10)) {
            Migrations.of(template, schema).apply(Feature.OUTBOX);
        }
        IntStream.range(0, count).forEach(i -> {
            this.server.execute("create database " + database("t" + i) + " template " + TEMPLATE);
            pools.put("t" + i, pool(url(database("t" + i))));
        });
    }

    private static HikariDataSource pool(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        config.setKeepaliveTime(0);
        config.setConnectionTimeout(1_000);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    private String url(String database) {
        return serverUrl.replaceFirst("(//[^/]+/)[^?]*", "$1" + database);
    }

    static String database(String tenant) {
        return TEMPLATE + "_" + tenant;
    }

    List<String> names() {
        return List.copyOf(pools.keySet());
    }

    /** So much later than now, by the clock of a tenant's database. */
    Instant in(String tenant, Duration time) {
        OffsetDateTime now = Objects.requireNonNull(
                new JdbcTemplate(pools.get(tenant)).queryForObject("select clock_timestamp()", OffsetDateTime.class));
        return now.toInstant().plus(time);
    }

    /** As the server counts them, with the checks of the pools; by tenant. */
    Map<String, Long> transactions() {
        var counts = new LinkedHashMap<String, Long>();
        for (String tenant : names()) {
            counts.put(
                    tenant,
                    server.queryForObject(
                            "select xact_commit + xact_rollback from pg_stat_database where datname = ?",
                            Long.class,
                            database(tenant)));
        }
        return counts;
    }

    void takeAway(String tenant) {
        server.execute("alter database " + database(tenant) + " allow_connections false");
        server.queryForList(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = ?", database(tenant));
    }

    void bringBack(String tenant) {
        server.execute("alter database " + database(tenant) + " allow_connections true");
    }

    /** Without a database for threads that have no tenant. */
    DataSource routing() {
        var routing = new AbstractRoutingDataSource() {
            @Override
            protected @Nullable Object determineCurrentLookupKey() {
                return TENANT.get();
            }
        };
        routing.setTargetDataSources(Map.copyOf(pools));
        routing.afterPropertiesSet();
        return routing;
    }

    /** Leaves the databases to the end of their server: each drop waits for a checkpoint. */
    void closePools() {
        pools.values().forEach(HikariDataSource::close);
    }

    @Override
    public void close() {
        TENANT.remove();
        closePools();
        names().forEach(tenant -> server.execute("drop database " + database(tenant) + " with (force)"));
        server.execute("drop database " + TEMPLATE + " with (force)");
    }
}
