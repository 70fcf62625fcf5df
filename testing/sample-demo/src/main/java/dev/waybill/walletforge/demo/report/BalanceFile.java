package dev.waybill.walletforge.demo.report;

import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Every wallet's balance, {@code wallet_id,balance_cents,applied,declined}, sorted by wallet. */
public final class BalanceFile {
    private static final CSVFormat FORMAT = CSVFormat.DEFAULT
            .builder()
            .setHeader("wallet_id", "balance_cents", "applied", "declined")
            .setRecordSeparator('\n')
            .get();

    private BalanceFile() {}

    /** Writes the balances as they stand in the table, over any earlier file. */
    public static void write(Path file, DataSource dataSource, SchemaName schema) throws IOException, SQLException {
        // The same order on every server, whatever its locale.
        String query = "select wallet_id, balance_cents, applied, declined from " + schema.table("wallet")
                + " order by wallet_id collate \"C\"";
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query);
                var printer = new CSVPrinter(Files.newBufferedWriter(file), FORMAT)) {
            printer.printRecords(rows);
        }
    }
}
