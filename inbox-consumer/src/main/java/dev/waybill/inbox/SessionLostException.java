package dev.waybill.inbox;

/** The session's lock or link is gone, or a settlement was not confirmed. Nothing is lost: the message comes again. */
public final class SessionLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What happened to which session, and the broker client's own error. */
    public SessionLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
