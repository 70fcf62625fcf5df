package dev.waybill.walletforge.demo.relay;

import java.time.Duration;

/**
 * How patient a relay is.
 *
 * @param lease how long a dead relay's work stands still
 * @param sendDeadline how long a send may take; what is acknowledged later is sent again
 */
public record RelayTempo(Duration lease, Duration sendDeadline) {
    /** For a relay that nobody kills. */
    public static final RelayTempo CALM = new RelayTempo(Duration.ofSeconds(15), Duration.ofSeconds(30));

    /** For one that is killed again and again while somebody watches. */
    public static final RelayTempo HASTY = new RelayTempo(Duration.ofSeconds(2), Duration.ofSeconds(3));
}
