package dev.waybill.inbox;

import java.util.Optional;

/**
 * A session as the broker knows it, while it is locked for this consumer. Its state is not part of any
 * transaction: what must agree with the effects of messages belongs into {@link SessionState}. For one thread,
 * during the call it is given to.
 */
public final class BrokerSession {
    private final Receiver receiver;

    public BrokerSession(Receiver receiver) {
        this.receiver = receiver;
    }

    /** The SessionId. */
    public String id() {
        return receiver.session().orElse("");
    }

    /**
     * The state stored with the session; empty if there is none. Asks the broker.
     *
     * @throws LockLostException if the broker does not answer, or the session is lost
     */
    public Optional<byte[]> state() {
        return receiver.sessionState();
    }

    /**
     * Stores a state in place of the last one. It counts against the entity's size and stays until it is cleared.
     *
     * @throws LockLostException if the broker does not confirm it, or the session is lost
     */
    public void store(byte[] state) {
        receiver.sessionState(state);
    }

    /** Removes the state; as {@link #store}. */
    public void clear() {
        receiver.sessionState(null);
    }
}
