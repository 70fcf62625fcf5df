package dev.waybill.benchmarks.environment;

import com.sun.management.OperatingSystemMXBean;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.schema.SchemaName;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The PostgreSQL of a run: started when first needed, stopped at the end; a given one is left as it was found. */
public final class Environment implements AutoCloseable {
    private static final long MOST_BUFFERS_MB = 4_096;

    private final @Nullable String jdbcUrl;
    private final long mostBuffersMb;
    private @Nullable PostgresServer server;
    private int schemas;

    private Environment(@Nullable String jdbcUrl, long mostBuffersMb) {
        this.jdbcUrl = jdbcUrl;
        this.mostBuffersMb = mostBuffersMb;
    }

    /** Embedded binaries. */
    public static Environment embedded() {
        return new Environment(null, MOST_BUFFERS_MB);
    }

    /** A server that runs elsewhere; the URL carries user and password. */
    public static Environment at(String jdbcUrl) {
        return new Environment(jdbcUrl, MOST_BUFFERS_MB);
    }

    /** Another server of the same kind with few buffers; one that runs elsewhere has as many as it has. The caller's to close. */
    public Environment withBuffers(int megabytes) {
        return new Environment(jdbcUrl, megabytes);
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
            running = jdbcUrl == null ? PostgresServer.embedded(tuned(mostBuffersMb)) : PostgresServer.at(jdbcUrl);
            server = running;
        }
        return running;
    }

    // Settings that somebody who runs a database would make first. The embedded server's own defaults are
    // made for tests: no fsync, and less memory than one table takes.
    private static Map<String, String> tuned(long mostBuffersMb) {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long quarterMb = (system.getTotalMemorySize() / 4) >> 20;
        return Map.of(
                "fsync", "on",
                "full_page_writes", "on",
                "shared_buffers", Math.min(quarterMb, mostBuffersMb) + "MB",
                "max_wal_size", "8GB",
                "max_connections", "300",
                "shared_preload_libraries", "pg_stat_statements");
    }
}
