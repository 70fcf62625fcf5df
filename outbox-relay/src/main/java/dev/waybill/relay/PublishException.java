package dev.waybill.relay;

/**
 * A failure with the broker's own short word for it, which holds and alarms take for their reason: so all that was refused for
 * the same cause has the same one. A publisher that throws anything else gives its type as the reason.
 */
public final class PublishException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    /**
     * A failure.
     *
     * @param reason a word that is the same for the same kind of trouble, such as an AMQP condition
     */
    public PublishException(String reason, Throwable cause) {
        super(cause.getMessage(), cause, false, false);
        this.reason = reason;
    }

    /** The broker's word, without ids or sizes. */
    public String reason() {
        return reason;
    }
}
