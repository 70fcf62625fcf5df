package dev.waybill.inbox;

import dev.waybill.supervision.OutsideFailure;
import org.jspecify.annotations.Nullable;

/** The broker refuses the link, or has ended it. The consumer logs this once for all its threads, backs off and opens a new link. */
public final class ReceiveException extends RuntimeException implements OutsideFailure {
    private static final long serialVersionUID = 1L;

    /** @param cause the broker's words; null if the broker gave none */
    public ReceiveException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
