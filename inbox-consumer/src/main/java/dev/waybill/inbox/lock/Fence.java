package dev.waybill.inbox.lock;

import java.util.UUID;

/** The fencing token of one acceptance of a session. Once a message is recorded under it, no lower token records one. */
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

    /** Whether a committed transaction has recorded the token. A check is then enough. */
    public boolean isRecorded() {
        return recorded;
    }

    public void committed() {
        recorded = true;
    }
}
