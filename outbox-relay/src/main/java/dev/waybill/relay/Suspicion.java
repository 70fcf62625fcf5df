package dev.waybill.relay;

import org.jspecify.annotations.Nullable;

/**
 * That a lane's next messages end the process that sends them.
 *
 * @param takeovers how often the lane was taken over at this position from an owner whose lease had run out
 * @param started the row that one of them was about to send alone
 */
record Suspicion(int takeovers, @Nullable Long started) {
    /** From here on the lane's messages are sent one at a time. */
    static final int GRAVE = 3;

    boolean isGrave() {
        return takeovers >= GRAVE;
    }
}
