package dev.waybill.inbox.transaction;

import java.sql.SQLException;

/**
 * The database did not come as far as to record a message, or did not say whether its commit has
 * failed. The next try finds out, and the message is not to blame.
 */
public final class NotRecordedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final SQLException why;

    NotRecordedException(SQLException why) {
        super(why);
        this.why = why;
    }

    public SQLException why() {
        return why;
    }
}
