package dev.waybill.inbox;

import org.jspecify.annotations.Nullable;

/** The lock or link is lost, or the broker did not confirm a settlement. The broker delivers the message again. */
public final class LockLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LockLostException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
