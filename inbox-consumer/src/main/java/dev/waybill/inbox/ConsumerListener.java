package dev.waybill.inbox;

/** Hears what becomes of messages, on the worker's thread and after the fact. Must not throw. */
public interface ConsumerListener {
    /** A listener that does nothing. */
    ConsumerListener SILENT = new ConsumerListener() {};

    /** A message was delivered, be it new or again. */
    default void received(InboundMessage message) {}

    /** The broker was told what to do with the message. */
    default void settled(InboundMessage message, Outcome outcome) {}

    /** Why a message was settled. */
    enum Outcome {
        /** Its effects are committed. */
        DONE,
        /** Its effects had been committed before. */
        DUPLICATE,
        /** It is in the dead-letter queue. */
        DEAD_LETTERED
    }
}
