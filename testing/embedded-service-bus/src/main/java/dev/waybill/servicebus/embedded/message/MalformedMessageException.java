package dev.waybill.servicebus.embedded.message;

/** Bytes that are no AMQP message, or none that Service Bus accepts. */
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedMessageException(String message) {
        super(message);
    }

    MalformedMessageException(String message, Throwable cause) {
        super(message, cause);
    }
}
