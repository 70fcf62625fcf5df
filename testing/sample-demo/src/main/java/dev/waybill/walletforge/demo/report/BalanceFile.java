package dev.waybill.walletforge.demo.report;

import dev.waybill.walletforge.demo.installation.NamedInstallation;
import dev.waybill.walletforge.demo.proof.TransferWallets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Every wallet's balance, but for those of the transfers, {@code wallet_id,balance_cents,applied,declined}, sorted by wallet. */
public final class BalanceFile {
    private static final CSVFormat FORMAT = CSVFormat.DEFAULT
            .builder()
            .setHeader("wallet_id", "balance_cents", "applied", "declined")
            .setRecordSeparator('\n')
            .get();

    private BalanceFile() {}

    /** Writes the balances as they stand in the table, over any earlier file. */
    public static void write(Path file, NamedInstallation installation) throws IOException {
        // The same order on every server, whatever its locale.
        String query = "select wallet_id, balance_cents, applied, declined from " + installation.table("wallet")
                + " where not starts_with(wallet_id, ?) order by wallet_id collate \"C\"";
        String others = TransferWallets.prefix(installation.name());
        var rows = installation.dsl().fetch(query, others);
        try (var printer = new CSVPrinter(Files.newBufferedWriter(file), FORMAT)) {
            printer.printRecords((Object[]) rows.intoArrays());
        }
    }
}
