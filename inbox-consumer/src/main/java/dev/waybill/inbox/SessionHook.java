package dev.waybill.inbox;

/**
 * Called with each session that the broker gives to the consumer, outside any transaction: the place for the broker's own
 * session state. What it throws gives the session back, and another one is asked for after a rest. Thread-safe.
 */
public interface SessionHook {
    /** A hook that does nothing. */
    SessionHook NONE = session -> {};

    /** The session is locked; none of its messages has been handled yet. */
    void accepted(BrokerSession session);

    /**
     * The session is about to be given back, and what was handed out is settled, as far as it could be; a message that arrives
     * at this very moment is still handled. Not called when the session was lost.
     */
    default void releasing(BrokerSession session) {}
}
