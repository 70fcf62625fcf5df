package dev.waybill.servicebus.embedded.message;

/** Bytes that are no AMQP message, or not one that Service Bus takes. */
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedMessageException(String message) {
        super(message);
    }

    MalformedMessageException(String message, Throwable cause) {
        super(message, cause);
    }
}
