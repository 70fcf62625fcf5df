package dev.waybill.inbox.transaction;

import java.sql.SQLException;

/** The database failed before it recorded a message, or the outcome of the commit is unknown. The message is not the cause. */
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
