package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The typical transaction of {@link Business} without jOOQ, on the same tables. */
final class JdbcBusiness {
    private final String lock;
    private final String change;
    private final String transfer;
    private final String entry;

    JdbcBusiness(OutboxSchema schema) {
        String in = schema.name().value();
        lock = "select balance from " + in + ".account where id = ? for update";
        change = "update " + in + ".account set balance = ? where id = ?";
        transfer = "insert into " + in + ".transfer (account, amount, reference) values (?, ?, ?)";
        entry = "insert into " + in + ".entry (account, balance) values (?, ?)";
    }

    /** Four statements: lock and read, change, and record twice. */
    void typical(Connection tx, int account, String reference) throws SQLException {
        long balance = balance(tx, account);
        execute(tx, change, balance + 1, account);
        execute(tx, transfer, account, 1L, reference);
        execute(tx, entry, account, balance + 1);
    }

    private long balance(Connection tx, int account) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement(lock)) {
            statement.setInt(1, account);
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static void execute(Connection tx, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
