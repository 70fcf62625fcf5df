package dev.waybill.walletforge.demo.proof;

/**
 * What became of the transfers, and what the readers of the events have; violations are zero in a run that holds.
 *
 * @param transfers by their ends
 * @param wrongTransfers that are not at an end, or whose legs are not those of their end
 * @param wrongTransferBalances wallets that differ from what their bookings, decided again one by one, leave
 * @param archiveDifferences ledger entries that the archive lacks or tells otherwise, and events of no entry
 * @param totalDifferences rows of the analytics that differ from the ledger's totals
 * @param others the readers of filtered events
 */
public record Readers(
        Ends transfers,
        long wrongTransfers,
        long wrongTransferBalances,
        long archiveDifferences,
        long totalDifferences,
        Others others) {
    /** Whether nothing went wrong. */
    public boolean ok() {
        return (wrongTransfers | wrongTransferBalances | archiveDifferences | totalDifferences) == 0
                && (others.fraudDifferences() | others.mailDifferences()) == 0;
    }

    /** How transfers ended. */
    public record Ends(long completed, long declined, long compensated) {}

    /**
     * The readers of filtered events, and how much they have.
     *
     * @param fraudDifferences large entries without a case, and cases of no large entry
     * @param mailDifferences declined entries without a mail, and mails of no declined entry
     */
    public record Others(long fraudCases, long fraudDifferences, long mails, long mailDifferences) {}
}
