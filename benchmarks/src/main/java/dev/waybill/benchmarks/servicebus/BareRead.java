package dev.waybill.benchmarks.servicebus;

import com.sun.management.OperatingSystemMXBean;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.environment.ServerCpu;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.postgresql.PGStatement;

/**
 * Reads the rows of an outbox once, in any order, and does nothing with them. A program that sends the rows of a table has to do
 * this beside the sending, so the two together bound what a relay can come to on cores that are all busy.
 */
final class BareRead {
    private static final String APPLICATION = "bare-read";
    private static final int PAGE_ROWS = 3_200;
    private static final int LAST_TEXT = 5;
    private static final double NANOS_PER_MICRO = 1e3;

    private final OutboxSchema schema;
    private final HikariDataSource pool;
    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    BareRead(OutboxSchema schema) {
        this.schema = schema;
        this.pool = schema.pool(APPLICATION, 1);
    }

    /** CPU of server and driver, in microseconds a row. */
    double microsPerRow() throws Exception {
        try (Connection connection = pool.getConnection()) {
            ServerCpu server = schema.cpuOf(APPLICATION);
            long before = server.nanos();
            var rows = new long[1];
            long own = processNanos(() -> rows[0] = read(connection));
            return (server.nanos() - before + own) / NANOS_PER_MICRO / rows[0];
        }
    }

    /** CPU of this process meanwhile, in nanoseconds. */
    long processNanos(Callable<?> work) throws Exception {
        long before = process.getProcessCpuTime();
        work.call();
        return process.getProcessCpuTime() - before;
    }

    private long read(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.prepareStatement("select seq, message_id, session_id, subject, content_type,"
                + " payload from " + schema.name().table("outbox_message"))) {
            long rows = read(statement);
            connection.commit();
            return rows;
        }
    }

    private static long read(PreparedStatement statement) throws SQLException {
        // In binary from the first page on, as the relay has it.
        statement.unwrap(PGStatement.class).setPrepareThreshold(-1);
        statement.setFetchSize(PAGE_ROWS);
        long rows = 0;
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                row.getLong(1);
                for (int text = 2; text <= LAST_TEXT; text++) {
                    row.getString(text);
                }
                row.getBytes(LAST_TEXT + 1);
                rows++;
            }
        }
        return rows;
    }
}
