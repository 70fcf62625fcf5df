package dev.waybill.outbox;

/** The message cannot be sent. The text names the message, the problem and the limit. Nothing was written. */
public final class InvalidMessageException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    InvalidMessageException(String message) {
        super(message);
    }
}
