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

/** Begins transactions for messages, at most one per concurrent handler. Thread-safe. */
public interface MessageTransactions {
    static MessageTransactions own(DataSource pool, AnswerLimit limit, ConsumerSettings settings) {
        return new OwnTransactions(
                new HandlerConnections(pool, limit, settings.receiving().concurrency()));
    }

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

    /** Begins a message's transaction, or takes the one that the previous commit began. */
    MessageTransaction begin(InboundMessage message, InFlightWork work) throws SQLException, InterruptedException;

    /** Whether the worker's last commit has begun the next transaction. */
    default boolean isNextBegun(InFlightWork work) {
        return false;
    }

    /** Ends the transaction that the previous commit began, if its message is not handled now. */
    default void abandonNext(InFlightWork work) {}

    /** Begins a transaction for several messages. */
    MessageTransaction begin() throws SQLException, InterruptedException;

    // Throws IllegalStateException if the transactions do not meet the consumer's requirements, and SQLException if the
    // database is unavailable.
    default void prove() throws SQLException, InterruptedException {}
}
