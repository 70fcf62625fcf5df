package dev.waybill.hold;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A hold as it stands.
 *
 * @param id its number, never given again
 * @param cause why it is held, or the failure of the last attempt
 * @param content what is held, and since when
 * @param tries the attempts made, and the next one
 */
public record Hold(long id, HoldKey key, HoldState state, Cause cause, Content content, Tries tries) {
    /** How many messages are held. */
    public int messages() {
        return content.messages();
    }

    /** When the hold began. */
    public Instant heldAt() {
        return content.since();
    }

    /** Attempts at the first message. Outages do not count. */
    public int attempts() {
        return tries.attempts();
    }

    /** How often the hold was parked. */
    public int timesParked() {
        return tries.timesParked();
    }

    /** When the hold is tried next, if it is {@link HoldState#RETRYING}. */
    public Instant dueAt() {
        return tries.dueAt();
    }

    /** When the last attempt began; null if there was none. */
    public @Nullable Instant attemptedAt() {
        return tries.attemptedAt();
    }

    /** Whether the messages are being published or handled at this moment. */
    public boolean attemptRunning() {
        return tries.running();
    }

    /**
     * The content of a hold.
     *
     * @param messages how many
     * @param since when the hold began
     */
    public record Content(int messages, Instant since) {}

    /**
     * The attempts at a hold.
     *
     * @param attempts attempts at the first message; outages do not count
     * @param timesParked how often it was parked
     * @param dueAt when it is tried next, if it is {@link HoldState#RETRYING}
     * @param attemptedAt when the last attempt began; null if there was none
     * @param running whether the messages are being published or handled at this moment
     */
    public record Tries(
            int attempts,
            int timesParked,
            Instant dueAt,
            @Nullable Instant attemptedAt,
            boolean running) {}
}
