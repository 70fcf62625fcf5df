package dev.waybill.inbox.transaction;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.inbox.connect.AnswerLimit;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.record.InboxInsert;
import dev.waybill.inbox.settings.ConsumerSettings;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Begins transactions in which messages are recorded and handled, as many at once as handlers may run.
 * Thread-safe.
 */
public interface MessageTransactions {
    /** Transactions of the consumer's own, as many at once as the settings say. */
    static MessageTransactions own(DataSource pool, AnswerLimit limit, ConsumerSettings settings) {
        return new OwnTransactions(
                new HandlerConnections(pool, limit, settings.receiving().concurrency()));
    }

    /**
     * Transactions of the user's kind.
     *
     * @param database where the consumer has its tables, by its own connections
     * @param longest how long a transaction may last
     */
    static MessageTransactions of(
            TransactionBoundary boundary,
            Database database,
            AnswerLimit limit,
            ConsumerSettings settings,
            Duration longest) {
        ConsumerSettings.Store store = settings.store();
        ConsumerSettings.Application application = settings.application();
        var insert = InboxInsert.bounded(
                store.schema(), settings.lockTimeout(application.source().facts()));
        var checks = new BoundaryTransactions.Checks(
                new CommittedIds(database, insert, store.consumer()), limit, application.outsideWork());
        return new BoundaryTransactions(
                boundary,
                new BoundaryProbe(database),
                checks,
                longest,
                settings.receiving().concurrency());
    }

    /** The transaction of one message, which may be open already. */
    MessageTransaction begin(InboundMessage message, InFlightWork work) throws SQLException, InterruptedException;

    /** Whether the last transaction of a worker has ended with the beginning of the next one. */
    default boolean isNextBegun(InFlightWork work) {
        return false;
    }

    /** Ends the transaction that was begun for a message that does not come to be handled now. */
    default void abandonNext(InFlightWork work) {}

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
