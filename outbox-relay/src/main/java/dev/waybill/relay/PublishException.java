package dev.waybill.relay;

/**
 * A failure with a short reason for holds and alarms, so that equal causes have equal reasons. For other exceptions the reason
 * is their type.
 */
public final class PublishException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    /** @param reason equal for equal failures, such as an AMQP condition; without ids and sizes */
    public PublishException(String reason, Throwable cause) {
        super(cause.getMessage(), cause, false, false);
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }
}
