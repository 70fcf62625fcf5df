package dev.waybill.benchmarks.environment;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.migrations.SchemaName;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The PostgreSQL of a run: started when first needed, stopped at the end; a given one is left as it was found. */
public final class Environment implements AutoCloseable {
    // What somebody who runs a database would set first. The embedded server's own defaults are made for tests: no
    // fsync,
    // and less memory than one table takes.
    private static final Map<String, String> TUNED = Map.of(
            "fsync",
            "on",
            "shared_buffers",
            "4GB",
            "max_wal_size",
            "8GB",
            "shared_preload_libraries",
            "pg_stat_statements");

    private final @Nullable String jdbcUrl;
    private @Nullable PostgresServer server;
    private int schemas;

    private Environment(@Nullable String jdbcUrl) {
        this.jdbcUrl = jdbcUrl;
    }

    /** Embedded binaries. */
    public static Environment embedded() {
        return new Environment(null);
    }

    /** A server that runs elsewhere; the URL carries user and password. */
    public static Environment at(String jdbcUrl) {
        return new Environment(jdbcUrl);
    }

    /** A schema with Waybill's tables, the caller's to close. */
    public OutboxSchema newSchema() {
        schemas++;
        long process = ProcessHandle.current().pid();
        return OutboxSchema.create(server().jdbcUrl(), new SchemaName("bench_" + process + "_" + schemas));
    }

    /** Version and durability of the server, for the report. */
    public String describePostgres() {
        if (server == null) {
            return "not used";
        }
        try (var pool = PostgresServer.pool(server.jdbcUrl(), 1);
                var connection = pool.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select current_setting('server_version'), current_setting('fsync')"
                        + ", current_setting('shared_buffers')")) {
            row.next();
            return row.getString(1) + ", " + server.origin() + ", fsync " + row.getString(2) + ", synchronous_commit on"
                    + ", shared_buffers " + row.getString(3);
        } catch (SQLException e) {
            return "unknown: " + e.getMessage();
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }

    private PostgresServer server() {
        PostgresServer running = server;
        if (running == null) {
            running = jdbcUrl == null ? PostgresServer.embedded(TUNED) : PostgresServer.at(jdbcUrl);
            server = running;
        }
        return running;
    }
}
