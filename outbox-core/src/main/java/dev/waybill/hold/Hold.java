package dev.waybill.hold;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A hold as it stands.
 *
 * @param dueAt when it is tried next, if {@link HoldState#RETRYING}
 * @param cause why it is held, or what the last attempt met
 * @param attempts attempts at the first message; outages do not count
 * @param timesParked how often it was parked
 * @param messages how many messages are held
 * @param attemptedAt when the last attempt began; null if none has
 * @param attemptRunning whether the messages are being published or handled at this moment
 */
public record Hold(
        HoldKey key,
        HoldState state,
        Instant dueAt,
        Cause cause,
        int attempts,
        int timesParked,
        int messages,
        Instant heldAt,
        @Nullable Instant attemptedAt,
        boolean attemptRunning) {}
