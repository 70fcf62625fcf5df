package dev.waybill.hold;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A hold. {@code id} is never reused; {@code cause} is why the hold began, or why the last attempt failed. */
public record Hold(long id, HoldKey key, HoldState state, Cause cause, Content content, Tries tries) {
    public int messages() {
        return content.messages();
    }

    public Instant heldAt() {
        return content.since();
    }

    /** Attempts at the first message, without those that an outage interrupted. */
    public int attempts() {
        return tries.attempts();
    }

    public int timesParked() {
        return tries.timesParked();
    }

    /** When the next attempt is due, if the hold is {@link HoldState#RETRYING}. */
    public Instant dueAt() {
        return tries.dueAt();
    }

    /** When the last attempt began; null if there was none. */
    public @Nullable Instant attemptedAt() {
        return tries.attemptedAt();
    }

    public boolean attemptRunning() {
        return tries.running();
    }

    /** The number of messages, and when the hold began. */
    public record Content(int messages, Instant since) {}

    /**
     * Attempts at the first message, without those that an outage interrupted; {@code dueAt} is valid while
     * {@link HoldState#RETRYING}.
     */
    public record Tries(
            int attempts,
            int timesParked,
            Instant dueAt,
            @Nullable Instant attemptedAt,
            boolean running) {}
}
