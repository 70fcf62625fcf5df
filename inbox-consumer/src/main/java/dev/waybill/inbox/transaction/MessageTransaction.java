package dev.waybill.inbox.transaction;

import dev.waybill.inbox.OutsideWorkException;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.record.Handling;
import dev.waybill.inbox.record.InboxRecord;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** An open transaction that records and handles messages. For one thread. */
interface MessageTransaction {
    /** The connection for the consumer's own statements. */
    Connection connection();

    /** The record that began with the transaction; null if there is none. */
    @Nullable InboxRecord recorded();

    DSLContext dsl();

    boolean hasSavepoints();

    // Checks that a repeated handler call repeats no effect. The exception is the reason for the retry; null if the
    // verdict asks for it.
    default void requireRepeatable(@Nullable Throwable thrown) throws OutsideWorkException {}

    /** Whether the next message of a batch may use the transaction; false after it was marked, ended or suspended. Never throws. */
    default boolean mayGoOn() {
        try {
            return !connection().isClosed();
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    // The handled message is preferably a new one: its id proves the commit. After NotRecordedException the outcome is
    // unknown; after other exceptions nothing is committed.
    void commit(Handling handled, InFlightWork work) throws Exception;

    /** Rolls back because of the handler's verdict. */
    void rollBack() throws Exception;

    /** Releases a transaction that has ended, unless the next one has begun with its commit. Never throws. */
    void end();

    /** Rolls back if the failed transaction is open, and releases it. Never throws. */
    void abandon(Throwable cause);
}
