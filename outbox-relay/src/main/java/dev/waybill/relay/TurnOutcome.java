package dev.waybill.relay;

import org.jspecify.annotations.Nullable;

/**
 * What one turn came to.
 *
 * @param published rows that the broker accepted
 * @param failure the first thing that kept rows from being accepted, or null
 */
record TurnOutcome(int published, @Nullable Throwable failure) {
    static final TurnOutcome IDLE = new TurnOutcome(0, null);

    TurnOutcome plus(TurnOutcome other) {
        return new TurnOutcome(published + other.published, failure != null ? failure : other.failure);
    }
}
