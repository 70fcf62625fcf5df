package dev.waybill.deadletter.collect;

import org.jspecify.annotations.Nullable;

/** How many letters a turn received, how many of them were new, and the failure if there was one. */
record CollectorOutcome(int received, int stored, @Nullable Throwable failure) {
    static final CollectorOutcome IDLE = new CollectorOutcome(0, 0, null);

    /** Nothing has arrived on a link that replaces a failed one, and which the broker may still refuse. */
    static final CollectorOutcome UNPROVEN = new CollectorOutcome(0, 0, null);
}
