package dev.waybill.standalone.config;

import java.time.Duration;

/** How the relays of this process work. */
public record RelaySettings(
        Duration leaseDuration, Duration sendDeadline, boolean listen, Reading reading, Space space) {
    /** How new messages are looked for. */
    public record Reading(Duration lookInterval, Duration longestIdle, int pageRows) {}

    /**
     * How long published messages take up space.
     *
     * @param claimRetention zero keeps bodies for ever
     */
    public record Space(int historyPartitions, Duration partitionAge, Duration claimRetention) {}

    /**
     * The longest after a send that the same row may be sent again: deadline, lease, restart and the longest
     * back-off.
     */
    public Duration resendEnvelope() {
        return sendDeadline.plus(leaseDuration).plus(Duration.ofMinutes(2));
    }
}
