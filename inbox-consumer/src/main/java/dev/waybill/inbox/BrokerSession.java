package dev.waybill.inbox;

import java.util.Optional;

/**
 * A session that the broker has locked for this consumer. Its state is outside every transaction; see {@link SessionState} for state
 * that must agree with a message's effects. Valid during one call, on that call's thread.
 */
public final class BrokerSession {
    private final Receiver receiver;

    public BrokerSession(Receiver receiver) {
        this.receiver = receiver;
    }

    public String id() {
        return receiver.session().orElse("");
    }

    /** Reads the session's state from the broker; empty if there is none. Throws {@link LockLostException} without an answer or lock. */
    public Optional<byte[]> state() {
        return receiver.sessionState();
    }

    /**
     * Replaces the session's state. The broker counts it against the entity's size and keeps it until {@link #clear}. Throws {@link
     * LockLostException} if the broker does not confirm the change, or the lock is lost.
     */
    public void store(byte[] state) {
        receiver.sessionState(state);
    }

    /** Removes the session's state. Throws as {@link #store}. */
    public void clear() {
        receiver.sessionState(null);
    }
}
