package dev.waybill.inbox.connect;

import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** An optional feature's table. Caches presence for ever, and absence for ten seconds. Thread-safe. */
public final class OptionalTable {
    private static final long ABSENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private static final String INSTALLED = "select (to_regclass(?) is not null)::integer";

    private final String table;
    private volatile boolean installed;
    private volatile long askAgain = System.nanoTime();

    public OptionalTable(SchemaName schema, String table) {
        this.table = schema.table(table);
    }

    public boolean isInstalled(Database database) throws SQLException {
        if (!installed && isDue()) {
            noted(database.number(INSTALLED, table) > 0);
        }
        return installed;
    }

    public boolean isInstalled(Connection connection) throws SQLException {
        if (!installed && isDue()) {
            noted(Database.number(connection, INSTALLED, table) > 0);
        }
        return installed;
    }

    private boolean isDue() {
        return System.nanoTime() - askAgain >= 0;
    }

    private void noted(boolean there) {
        installed = there;
        askAgain = System.nanoTime() + ABSENCE_NANOS;
    }
}
