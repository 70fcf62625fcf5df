package dev.waybill.relay;

import org.jspecify.annotations.Nullable;

/**
 * The result of a turn.
 *
 * @param published rows and held messages that the broker accepted
 * @param held rows that were put on hold
 * @param failure the first thing that kept others from being accepted, or null
 */
record TurnOutcome(int published, int held, @Nullable Throwable failure) {
    static final TurnOutcome IDLE = new TurnOutcome(0, 0, null);

    TurnOutcome plus(TurnOutcome other) {
        return new TurnOutcome(
                published + other.published, held + other.held, failure != null ? failure : other.failure);
    }

    boolean moved() {
        return published + held > 0;
    }
}
