package dev.waybill.inbox;

/**
 * Runs for each session that the broker gives to the consumer, outside any transaction, for example to use the broker's session state.
 * An exception counts as a failure of the session's next message: the consumer gives the session back after a back-off. After {@link
 * DeliveryPolicy#maxCloses} times it dead-letters or holds the message, as any failed message. Thread-safe.
 */
public interface SessionHook {
    SessionHook NONE = session -> {};

    /** The session is locked. None of its messages has been handled yet. */
    void accepted(BrokerSession session);

    /**
     * The consumer is about to give the session back; delivered messages are settled as far as possible. A message that arrives at this
     * moment is still handled. Not called after the session's lock was lost. The consumer reports an exception in its health and
     * otherwise ignores it.
     */
    default void releasing(BrokerSession session) {}
}
