package dev.waybill.outbox;

/** A message cannot be sent as it is. Says which message, what is wrong and what the limit is; nothing was written. */
public final class InvalidMessageException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    InvalidMessageException(String message) {
        super(message);
    }
}
