package dev.waybill.inbox.lock;

import java.util.UUID;

/**
 * The fencing token of one acceptance of a session. A later acceptance of the session has a higher one, and from the first
 * message recorded under that on, none is recorded under this. Used by one worker's thread.
 */
public final class Fence {
    private final UUID key;
    private final long token;
    private boolean recorded;

    Fence(UUID key, long token) {
        this.key = key;
        this.token = token;
    }

    public UUID key() {
        return key;
    }

    public long token() {
        return token;
    }

    /** Whether a committed transaction has recorded the token, so that looking at it is enough. */
    public boolean isRecorded() {
        return recorded;
    }

    public void committed() {
        recorded = true;
    }
}
