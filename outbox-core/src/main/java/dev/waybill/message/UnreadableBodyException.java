package dev.waybill.message;

/**
 * A body that cannot be had as its sender meant it: not in its charset, in an envelope, or an AMQP value without bytes. A retry does
 * not help; a consumer's standard failure policy dead-letters the message.
 */
public final class UnreadableBodyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public UnreadableBodyException(String message) {
        super(message);
    }

    public UnreadableBodyException(String message, Throwable cause) {
        super(message, cause);
    }
}
