package dev.waybill.deadletter.collect;

import org.jspecify.annotations.Nullable;

/**
 * The result of a turn.
 *
 * @param stored received letters that were new
 */
record CollectorOutcome(int received, int stored, @Nullable Throwable failure) {
    static final CollectorOutcome IDLE = new CollectorOutcome(0, 0, null);
}
