package dev.waybill.deadletter.collect;

import org.jspecify.annotations.Nullable;

/**
 * The result of a collector's turn.
 *
 * @param received messages that came
 * @param stored those of them that were new
 * @param failure what went wrong; null if nothing did
 */
record CollectorOutcome(int received, int stored, @Nullable Throwable failure) {
    static final CollectorOutcome IDLE = new CollectorOutcome(0, 0, null);
}
