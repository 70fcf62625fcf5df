package dev.waybill.walletforge.standingorder;

import dev.waybill.walletforge.transfer.Transfer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/**
 * A transfer that comes again.
 *
 * @param firstAt when it is due first, such as {@code 2026-12-01T08:00:00Z}
 * @param every time between two transfers, such as {@code PT24H}; a second or longer
 * @param times how many transfers it makes, at least one
 */
public record StandingOrder(
        String fromWallet, String toWallet, long amountCents, String firstAt, String every, int times) {
    /** Refuses what could not be carried out. */
    public StandingOrder {
        var unused = new Transfer("", fromWallet, toWallet, amountCents);
        try {
            Instant.parse(firstAt);
            if (times < 1 || Duration.parse(every).compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException("every must be a second or longer, and times at least 1");
            }
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("firstAt must be like 2026-12-01T08:00:00Z, every like PT24H", e);
        }
    }
}
