package dev.waybill.inbox;

/** Receives the outcomes of messages, on the worker's thread and after the fact. The consumer logs and ignores its exceptions. */
public interface ConsumerListener {
    ConsumerListener SILENT = new ConsumerListener() {};

    /** The broker has delivered a message, for the first time or again. */
    default void received(InboundMessage message) {}

    /** The consumer has settled the message. */
    default void settled(InboundMessage message, Outcome outcome) {}

    /** An attempt has failed and is rolled back. The consumer may retry the message. */
    default void failed(InboundMessage message, Throwable thrown, FailureKind kind) {}

    /** The lock was lost, or the broker did not confirm a completion. Uncommitted work is rolled back; the message usually comes again. */
    default void lockLost(InboundMessage message) {}

    /** A deferral is older than {@link ConsumerTuning#deferralWarningAfter}. Every process reports it repeatedly, on a separate thread. */
    default void forgotten(Deferral deferral) {}

    /** The database is unavailable. The consumer receives nothing until {@link #resumed()}. */
    default void paused(Throwable thrown) {}

    /** The database is available again. */
    default void resumed() {}

    /** The reason why the consumer settled a message. */
    enum Outcome {
        /** The message's effects are committed. */
        DONE,
        /** An earlier transaction had committed the message's effects. */
        DUPLICATE,
        /**
         * An earlier transaction had committed the effects of another message with this id: another subject or another body. This one
         * is not handled. The sender gives one id to different facts.
         */
        OTHER_CONTENT,
        /** The message is in the dead-letter queue. */
        DEAD_LETTERED,
        /** The database holds the message: as the first failed message of its session, or behind one. */
        HELD,
        /** The broker keeps the message until it is resumed; a message that came out of a hold waits in a hold of its own. */
        DEFERRED,
        /** The consumer returned the message to an entity without sessions. The broker delivers it again. */
        ABANDONED,
        /** The message failed and is lost, because its entity deletes messages on receive. */
        DROPPED
    }
}
