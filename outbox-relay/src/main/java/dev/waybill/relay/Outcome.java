package dev.waybill.relay;

/** The outcome of a send, which decides what the relay does next. */
public enum Outcome {
    /** The broker has stored the messages. */
    ACCEPTED,
    /** Unknown: timeout, lost connection, or internal error of the broker. The relay retries after a short back-off. */
    UNAVAILABLE,
    /**
     * The broker answers with a refusal, but without a reason that names message or destination. The relay retries as after {@link
     * #UNAVAILABLE}. If the refusal sticks to one message while others are accepted, the relay holds that message.
     */
    UNEXPLAINED,
    /** The broker throttles. The relay retries after a longer back-off; no message is at fault. */
    THROTTLED,
    /** The circuit breaker was open. Publishers must not return this. */
    NOT_SENT,
    /** The broker will never accept this message. The relay holds it. */
    MESSAGE_REFUSED,
    /** The destination accepts no message: it is missing, disabled, full, or access is denied. Its messages wait. */
    DESTINATION_REFUSED
}
