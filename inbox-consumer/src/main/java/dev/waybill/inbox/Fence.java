package dev.waybill.inbox;

import java.util.UUID;

/**
 * The fencing token of one acceptance of a session. A later acceptance of the session has a higher one, and from the first
 * message admitted under that on, none is admitted under this. Used by one worker's thread.
 */
final class Fence {
    private final UUID key;
    private final long token;
    private boolean recorded;

    Fence(UUID key, long token) {
        this.key = key;
        this.token = token;
    }

    UUID key() {
        return key;
    }

    long token() {
        return token;
    }

    /** Whether a committed transaction has recorded the token, so that looking at it is enough. */
    boolean isRecorded() {
        return recorded;
    }

    void committed() {
        recorded = true;
    }
}
