package dev.waybill.test.proof;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.TransactionBoundary.Transaction;
import dev.waybill.inbox.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/** Delivers messages to handlers as a consumer does: id, effects and commit are one transaction. Thread-safe. */
final class Deliveries {
    private final Terms terms;
    private final Inbox inbox;
    private final String consumer;
    private final OutsideWork outside;

    Deliveries(Terms terms, String consumer, OutsideWork outside) {
        this.terms = terms;
        this.consumer = consumer;
        this.outside = outside;
        inbox = Inbox.in(terms.schema());
    }

    Fate deliver(HandlerProcess process, Attempt attempt) {
        try {
            Transaction transaction = process.begin(attempt);
            Verdict verdict;
            try {
                if (!inbox.firstTime(
                        transaction.connection(), consumer, attempt.message().id())) {
                    transaction.rollBack();
                    return Fate.DUPLICATE;
                }
                verdict = handle(process, attempt, transaction);
            } catch (Throwable e) {
                rollBackBecauseOf(e, transaction);
                return Fate.again(e);
            }
            return end(attempt, transaction, verdict);
        } catch (Throwable e) {
            return Fate.again(e);
        } finally {
            process.over(attempt);
        }
    }

    private Verdict handle(HandlerProcess process, Attempt attempt, Transaction transaction) throws Exception {
        var dsl = terms.subject().managed()
                ? Handler.managedTransaction(transaction.connection())
                : Handler.transaction(transaction.connection());
        attempt.handling(true);
        try {
            Verdict verdict = Objects.requireNonNull(
                    process.handler().handle(dsl, attempt.delivered()), "The handler returned no verdict");
            transaction.flush();
            return verdict;
        } finally {
            attempt.handling(false);
            transaction
                    .outside()
                    .forEach(line -> outside.add(line, attempt.message().id()));
        }
    }

    private static Fate end(Attempt attempt, Transaction transaction, Verdict verdict) throws Exception {
        if (!verdict.equals(Verdict.done())) {
            transaction.rollBack();
            return Fate.of(verdict);
        }
        if (attempt.disturbance().kind() == Disturbance.Kind.ROLL_BACK) {
            transaction.rollBack();
            return Fate.again(new IllegalStateException("The commit failed: a proof says so"));
        }
        if (transaction.isRollbackOnly()) {
            transaction.rollBack();
            var thrown =
                    new IllegalStateException("The transaction was set to be rolled back, and the handler said done");
            return attempt.isFailureInjected() ? Fate.swallowed(thrown) : Fate.again(thrown);
        }
        try {
            guard(transaction.connection());
        } catch (SQLException e) {
            rollBackBecauseOf(e, transaction);
            return attempt.isFailureInjected() ? Fate.swallowed(e) : Fate.again(e);
        }
        try {
            transaction.commit();
            return Fate.DONE;
        } catch (Exception e) {
            return Fate.again(e);
        }
    }

    // PostgreSQL rolls a failed transaction back when it is told to commit, and the driver reports success.
    private static void guard(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        }
    }

    private static void rollBackBecauseOf(Throwable cause, Transaction transaction) {
        try {
            transaction.rollBack();
        } catch (Exception e) {
            cause.addSuppressed(e);
        }
    }
}
