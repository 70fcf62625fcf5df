package dev.waybill.inbox;

import org.jspecify.annotations.Nullable;

/**
 * The lock of a message or session is gone, its link has ended, or a settlement was not confirmed. Nothing is
 * lost: the message comes again.
 */
public final class LockLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception that names the message or session, with the broker client's own error if there was one. */
    public LockLostException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
