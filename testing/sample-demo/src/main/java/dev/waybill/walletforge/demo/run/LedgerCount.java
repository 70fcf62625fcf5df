package dev.waybill.walletforge.demo.run;

import dev.waybill.schema.SchemaName;
import java.sql.SQLException;
import javax.sql.DataSource;

/** How many payments the ledger has seen, for the screen and to know the end. */
record LedgerCount(DataSource dataSource, SchemaName schema) {
    /** Quick: from the wallets. */
    long applied() throws SQLException {
        return count("select coalesce(sum(applied + declined), 0) from " + schema.table("wallet"));
    }

    /** Right even if a payment was applied twice. */
    long distinct() throws SQLException {
        return count("select count(distinct tx_id) from " + schema.table("ledger_entry"));
    }

    private long count(String sql) throws SQLException {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
