package dev.waybill.inbox;

import java.sql.SQLTransientException;

/** Another transaction changed a session's state after it was loaded. Nothing was stored. */
public final class StaleStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StaleStateException(String session) {
        // SQLSTATE 40001 (serialisation failure), so that the standard policy retries the message.
        super(new SQLTransientException(
                "The state of session '" + session + "' was changed by another transaction", "40001"));
    }
}
