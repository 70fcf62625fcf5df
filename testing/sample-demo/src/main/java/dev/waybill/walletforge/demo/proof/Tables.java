package dev.waybill.walletforge.demo.proof;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The three tables as they stand at one moment, read by plain SQL. */
record Tables(List<PaymentRow> payments, List<EntryRow> entries, List<WalletRow> wallets) {
    private static final String NOT_THOSE = " where not starts_with(wallet_id, ?)";

    record PaymentRow(String txId, String walletId, boolean credit, long cents) {}

    record EntryRow(String txId, String walletId, boolean credit, long cents, boolean applied) {}

    record WalletRow(String walletId, long cents, long applied, long declined) {}

    static Tables read(DataSource dataSource, String schema, String others) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            // One snapshot for all three.
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            try {
                return new Tables(
                        payments(connection, schema, others),
                        entries(connection, schema, others),
                        wallets(connection, schema, others));
            } finally {
                connection.rollback();
            }
        }
    }

    private static List<PaymentRow> payments(Connection connection, String schema, String others) throws SQLException {
        return list(
                connection,
                others,
                "select tx_id, wallet_id, kind = 'credit', amount_cents from " + schema + ".payment" + NOT_THOSE
                        + " order by position",
                row -> new PaymentRow(row.getString(1), row.getString(2), row.getBoolean(3), row.getLong(4)));
    }

    private static List<EntryRow> entries(Connection connection, String schema, String others) throws SQLException {
        return list(
                connection,
                others,
                "select tx_id, wallet_id, kind = 'credit', amount_cents, outcome = 'applied' from " + schema
                        + ".ledger_entry" + NOT_THOSE + " order by id",
                row -> new EntryRow(
                        row.getString(1), row.getString(2), row.getBoolean(3), row.getLong(4), row.getBoolean(5)));
    }

    private static List<WalletRow> wallets(Connection connection, String schema, String others) throws SQLException {
        return list(
                connection,
                others,
                "select wallet_id, balance_cents, applied, declined from " + schema + ".wallet" + NOT_THOSE,
                row -> new WalletRow(row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4)));
    }

    private static <T> List<T> list(Connection connection, String others, String sql, RowReader<T> reader)
            throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            statement.setString(1, others);
            var list = new ArrayList<T>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    list.add(reader.read(rows));
                }
            }
            return list;
        }
    }

    @FunctionalInterface
    private interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }
}
