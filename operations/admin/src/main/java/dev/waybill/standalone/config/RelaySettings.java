package dev.waybill.standalone.config;

import java.time.Duration;

/** How relays work; a claim retention of zero keeps bodies for ever. */
public record RelaySettings(
        Duration leaseDuration, Duration sendDeadline, boolean listen, Polling polling, Duration claimRetention) {
    public record Polling(Duration interval, Duration longestIdle, int batchRows) {}

    /** The longest time after a send in which a relay may send the row again. */
    public Duration resendEnvelope() {
        return sendDeadline.plus(leaseDuration).plus(Duration.ofMinutes(2));
    }
}
