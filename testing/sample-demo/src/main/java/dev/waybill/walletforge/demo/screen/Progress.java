package dev.waybill.walletforge.demo.screen;

import java.util.Locale;

/**
 * How far a run has come.
 *
 * @param lines lines of the input
 * @param taken of them taken in, resends included
 * @param published messages the broker has stored
 * @param applied payments in the ledger, declined ones included
 * @param relayRestarts how often the relay was replaced
 */
public record Progress(long lines, long taken, long published, long applied, int relayRestarts) {
    /** Tenths of the way, by the slowest figure. */
    int tenths() {
        return lines == 0 ? 10 : (int) (10 * Math.min(taken, applied) / lines);
    }

    /** Short enough for a line of 80 characters, which is rewritten in place. */
    String text() {
        String text = String.format(
                Locale.ROOT, "taken %,d/%,d, published %,d, applied %,d", taken, lines, published, applied);
        return relayRestarts == 0 ? text : text + ", restarts " + relayRestarts;
    }
}
