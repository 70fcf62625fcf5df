package dev.waybill.standalone.config;

import java.time.Duration;

/**
 * How the relays of this process work.
 *
 * @param claimRetention zero keeps bodies for ever
 */
public record RelaySettings(
        Duration leaseDuration,
        Duration lookInterval,
        Duration longestIdle,
        int pageRows,
        Duration sendDeadline,
        int historyPartitions,
        Duration partitionAge,
        boolean listen,
        Duration claimRetention) {

    /** The longest after a send that the same row may be sent again: deadline, lease, restart and the longest back-off. */
    public Duration resendEnvelope() {
        return sendDeadline.plus(leaseDuration).plus(Duration.ofMinutes(2));
    }
}
