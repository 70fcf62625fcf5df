package dev.waybill.inbox;

/** Hears what becomes of messages, on the worker's thread and after the fact. Its exceptions are logged and change nothing. */
public interface ConsumerListener {
    /** A listener that does nothing. */
    ConsumerListener SILENT = new ConsumerListener() {};

    /** A message was delivered, be it new or again. */
    default void received(InboundMessage message) {}

    /** The broker was told what to do with the message. */
    default void settled(InboundMessage message, Outcome outcome) {}

    /** An attempt has failed and was rolled back; the message may be tried again. */
    default void failed(InboundMessage message, Throwable thrown, FailureKind kind) {}

    /**
     * The message's lock was lost, or its completion was not confirmed. Uncommitted work is rolled back, and the message comes
     * again, or has been completed unheard.
     */
    default void lockLost(InboundMessage message) {}

    /**
     * A message has lain deferred for long: nobody has resumed it, or the broker does not find it. Told again and again, by
     * every process, on a thread of its own.
     */
    default void forgotten(Deferral deferral) {}

    /** The database cannot be reached: nothing is received until {@link #resumed()}. */
    default void paused(Throwable thrown) {}

    /** The database is back. */
    default void resumed() {}

    /** Why a message was settled. */
    enum Outcome {
        /** Its effects are committed. */
        DONE,
        /** Its effects had been committed before. */
        DUPLICATE,
        /** It is in the dead-letter queue. */
        DEAD_LETTERED,
        /** It is in a hold in the database, as its session's first failed message or behind one. */
        HELD,
        /** It is set aside on the broker, or in a hold of its own if it came out of one. */
        DEFERRED,
        /** It was given back to an entity without sessions and comes again. */
        ABANDONED,
        /** It failed and is gone: its source deletes what it hands out. */
        DROPPED
    }
}
