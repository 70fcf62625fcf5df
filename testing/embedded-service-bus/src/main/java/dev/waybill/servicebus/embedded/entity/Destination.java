package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.message.BrokerMessage;
import java.util.List;

/** A queue or topic that accepts messages. */
public interface Destination {
    String path();

    /** The path of the entity whose capacity the messages use. */
    default String holder() {
        return path();
    }

    /** Throws {@code Refused} if the entity lacks room. */
    void requireRoom(long bytes);

    /** Throws {@code Refused} if not all messages can be stored now. */
    void check(List<BrokerMessage> messages);

    /** Requires {@link #check}. */
    void store(List<BrokerMessage> messages);

    /** Stores messages until they are due, each by its annotation; returns the numbers that cancel them. */
    List<Long> schedule(List<BrokerMessage> messages);

    /** Only allocates the numbers that cancel the messages. Throws {@code Refused} if they cannot be stored. */
    Reservation reserve(List<BrokerMessage> messages);

    /** Throws, and cancels none, if a message is not scheduled. */
    void cancelScheduled(List<Long> sequenceNumbers);

    void attach(Attached sender);

    void detach(Attached sender);

    /** In bytes. */
    int maxMessageBytes();

    /** In bytes. */
    int maxBatchBytes();
}
