package dev.waybill.inbox.transaction;

import dev.waybill.inbox.OutsideWorkException;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.record.Handling;
import dev.waybill.inbox.record.InboxRecord;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** An open transaction in which messages are recorded and handled. Used by one thread. */
interface MessageTransaction {
    /** The connection for the consumer's own statements. */
    Connection connection();

    /** What is known of the message, if it has been recorded with the transaction's beginning. */
    @Nullable InboxRecord recorded();

    /** The transaction as a handler gets it. */
    DSLContext dsl();

    /** Whether a part of it can be undone. */
    boolean hasSavepoints();

    /**
     * Makes sure that nothing which is done already happens again when the handler is called again.
     *
     * @param thrown why it will be; null if the handler asks for it
     * @throws OutsideWorkException if the handler has worked outside, and that is refused
     */
    default void requireRepeatable(@Nullable Throwable thrown) throws OutsideWorkException {}

    /**
     * Whether the next message of a batch may be handled in it; false if somebody has marked, ended or suspended it. Never
     * fails.
     */
    default boolean mayGoOn() {
        try {
            return !connection().isClosed();
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    /**
     * Commits what was done.
     *
     * @param handled a message whose id was recorded in it; one whose id was recorded before, if there is no other
     * @throws NotRecordedException if it is not known whether it was committed; the next try finds out
     * @throws Exception if nothing was committed
     */
    void commit(Handling handled, InFlightWork work) throws Exception;

    /** Rolls back, because of what a handler has decided. */
    void rollBack() throws Exception;

    /** It was committed or rolled back, and no other has begun with that. Never fails. */
    void end();

    /** It has failed: it is rolled back if it is open, and at an end. Never fails. */
    void abandon(Throwable cause);
}
