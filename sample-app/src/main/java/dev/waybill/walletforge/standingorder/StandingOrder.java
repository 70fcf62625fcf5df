package dev.waybill.walletforge.standingorder;

import dev.waybill.walletforge.installation.Json;
import dev.waybill.walletforge.transfer.Transfer;
import java.time.Duration;

/**
 * A transfer that comes again.
 *
 * @param firstAt when it is due first, such as {@code 2026-12-01T08:00:00Z}
 * @param every time between two transfers, such as {@code PT24H}; a second to a year
 * @param times how many transfers it makes, at least one
 */
public record StandingOrder(
        String fromWallet, String toWallet, long amountCents, String firstAt, String every, int times) {
    /** Refuses what could not be carried out. */
    public StandingOrder {
        var unused = new Transfer("", fromWallet, toWallet, amountCents);
        Json.time(firstAt);
        Duration pause = Duration.parse(every);
        if (times < 1 || pause.toSeconds() < 1 || pause.toDays() > 366) {
            throw new IllegalArgumentException("every must be PT1S to PT8784H, and times at least 1");
        }
    }
}
