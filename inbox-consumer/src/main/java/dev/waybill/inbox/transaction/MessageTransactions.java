package dev.waybill.inbox.transaction;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.lock.Work;
import java.sql.SQLException;

/**
 * Begins transactions in which messages are recorded and handled, as many at once as handlers may run.
 * Thread-safe.
 */
public interface MessageTransactions {
    /** The transaction of one message, which may be open already. */
    MessageTransaction begin(InboundMessage message, Work work) throws SQLException, InterruptedException;

    /** Whether the last transaction of a worker has ended with the beginning of the next one. */
    default boolean isNextBegun(Work work) {
        return false;
    }

    /** Ends the transaction that was begun for a message that does not come to be handled now. */
    default void abandonNext(Work work) {}

    /** One for several messages. */
    MessageTransaction begin() throws SQLException, InterruptedException;

    /**
     * Makes sure that the transactions are what they have to be.
     *
     * @throws IllegalStateException if they are not, and the consumer must not start
     * @throws SQLException if that cannot be found out because the database cannot be reached
     */
    default void prove() throws SQLException, InterruptedException {}
}
