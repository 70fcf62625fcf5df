package dev.waybill.inbox;

import java.sql.SQLTransientException;

/** Somebody else has stored a session's state since it was loaded. Nothing was stored. */
public final class StaleStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StaleStateException(String session) {
        // As a serialisation failure, which it is in the end: the standard policy tries the message again.
        super(new SQLTransientException("The state of session '" + session + "' was stored by somebody else", "40001"));
    }
}
