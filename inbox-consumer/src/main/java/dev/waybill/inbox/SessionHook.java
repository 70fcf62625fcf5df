package dev.waybill.inbox;

/**
 * Called with each session that the broker gives to the consumer, outside any transaction: the place for the
 * broker's own session state. An exception of the hook counts as a failure of the message that comes next: the session
 * is given back after a rest, and after as many times as {@link DeliveryPolicy#maxCloses} says, the message becomes a
 * dead letter or is held, as any other that has failed. Thread-safe.
 */
public interface SessionHook {
    /** A hook that does nothing. */
    SessionHook NONE = session -> {};

    /** The session is locked; none of its messages has been handled yet. */
    void accepted(BrokerSession session);

    /**
     * The session is about to be given back, and what was handed out is settled, as far as it could be; a message
     * that arrives at this very moment is still handled. Not called when the session was lost. An exception is told by
     * the consumer's health, and changes nothing.
     */
    default void releasing(BrokerSession session) {}
}
