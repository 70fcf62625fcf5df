package dev.waybill.inbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A handler exceeded its timeout and was interrupted. */
public final class HandlerTimeoutException extends Exception {
    private static final long serialVersionUID = 1L;

    public HandlerTimeoutException(Duration timeout, @Nullable Throwable cause) {
        super("The handler was interrupted after " + timeout, cause);
    }
}
