package dev.waybill.relay;

/** The outcome of a send, by which the relay decides what to do next. */
public enum Outcome {
    /** Stored. */
    ACCEPTED,
    /** Nobody knows: no answer, no connection, an error of the broker's own. Sent again, soon. */
    UNAVAILABLE,
    /** The destination asks for less. Sent again, later; nothing is wrong with any message. */
    THROTTLED,
    /** The relay has not asked: it leaves the destination alone for a while. No publisher returns this. */
    NOT_SENT,
    /** This very message is not taken, today or tomorrow. Held. */
    MESSAGE_REFUSED,
    /**
     * No message is taken: the destination is missing, disabled, full, or not ours to send to. All of them wait.
     */
    DESTINATION_REFUSED
}
