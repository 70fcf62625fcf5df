package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.message.BrokerMessage;
import java.util.List;

/** Something messages can be sent to: a queue or a topic. */
public interface Destination {
    /** Its path, as configured. */
    String path();

    /** The path of the entity in which messages sent here take up room. */
    default String holder() {
        return path();
    }

    /**
     * Whether the entity that would hold them has room for so many bytes more.
     *
     * @throws Refused if not
     */
    void requireRoom(long bytes);

    /**
     * Whether the messages may be stored now, all of them.
     *
     * @throws Refused if not
     */
    void check(List<BrokerMessage> messages);

    /** Stores messages that have been checked. */
    void store(List<BrokerMessage> messages);

    /** Keeps messages until they fall due, each by its own annotation; tells the numbers that cancel them. */
    List<Long> schedule(List<BrokerMessage> messages);

    /**
     * Gives messages the numbers that cancel them, and does no more until it is told to.
     *
     * @throws Refused if they cannot be stored
     */
    Reservation reserve(List<BrokerMessage> messages);

    /** Takes scheduled messages back; refuses if one of them is none, and then takes none back. */
    void cancelScheduled(List<Long> sequenceNumbers);

    /** A sender has come, who must be told when the entity is deleted. */
    void attach(Attached sender);

    /** A sender has left. */
    void detach(Attached sender);

    /** The largest message a sender may send, in bytes. */
    int maxMessageBytes();

    /** The largest batch a sender may send, in bytes. */
    int maxBatchBytes();
}
