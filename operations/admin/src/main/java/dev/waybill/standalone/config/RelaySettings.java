package dev.waybill.standalone.config;

import java.time.Duration;

/**
 * How the relays of this process work.
 *
 * @param claimRetention zero keeps bodies for ever
 */
public record RelaySettings(
        Duration leaseDuration, Duration sendDeadline, boolean listen, Polling polling, Duration claimRetention) {
    /** How new messages are polled for. */
    public record Polling(Duration interval, Duration longestIdle, int batchRows) {}

    /**
     * The longest after a send that the same row may be sent again: deadline, lease, restart and the longest
     * back-off.
     */
    public Duration resendEnvelope() {
        return sendDeadline.plus(leaseDuration).plus(Duration.ofMinutes(2));
    }
}
