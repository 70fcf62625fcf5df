package dev.waybill.outbox;

import dev.waybill.schema.GuardedConnection;
import java.sql.Connection;
import java.util.Objects;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultTransactionProvider;
import org.jspecify.annotations.Nullable;

/** Transactions of the outbox. Appends to their {@link DSLContext} are sent with the COMMIT. Thread-safe. */
final class OutboxTransactions {
    private final DSLContext dsl;

    // A nested transaction on a second connection would wait forever for the session locks of the first.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Boolean> open = ThreadLocal.withInitial(() -> false);

    /** @param given a context with jOOQ's default transaction provider */
    OutboxTransactions(DSLContext given, OutboxInsert insert, CommitNotifier notifier) {
        Configuration configuration = given.configuration();
        if (!(configuration.transactionProvider() instanceof DefaultTransactionProvider)) {
            throw new IllegalArgumentException("This DSLContext's transactions belong to "
                    + configuration.transactionProvider().getClass().getName()
                    + ": begin them there, and build the outbox with Outbox.builder().transactions(...)");
        }
        var connections = new WakingConnections(configuration.connectionProvider(), notifier);
        dsl = DSL.using(configuration.derive(new AppendsAtCommit(connections, insert)));
    }

    <T extends @Nullable Object, X extends Exception> T run(TransactionWork.WithResult<T, X> work) throws X {
        if (open.get()) {
            throw new IllegalStateException(
                    "This thread is already in a transaction of the outbox: pass its tx on instead of beginning another");
        }
        open.set(true);
        try {
            return dsl.transactionResult(tx -> {
                try {
                    return work.run(tx.dsl());
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new Thrown(e);
                }
            });
        } catch (Thrown e) {
            throw e.<X>cause();
        } finally {
            open.remove();
        }
    }

    <T extends @Nullable Object, X extends Exception> T runJdbc(JdbcWork.WithResult<T, X> work) throws X {
        return run(tx -> {
            PendingAppends pending = Objects.requireNonNull(PendingAppends.of(tx.configuration()));
            Connection connection = Objects.requireNonNull(
                    tx.configuration().connectionProvider().acquire());
            return work.run(GuardedConnection.of(
                    connection, OutboxTransactions::check, CommitActions.class, pending::afterCommit));
        });
    }

    private static void check(String method, @Nullable Object @Nullable [] arguments) {
        if (GuardedConnection.endsTransaction(method, arguments)) {
            throw new IllegalStateException("The outbox ends this transaction, so its work cannot call " + method
                    + ": return to commit, throw to roll back");
        }
    }

    /** Carries a checked exception through jOOQ, which would wrap it. */
    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final Exception cause;

        Thrown(Exception cause) {
            super(cause);
            this.cause = cause;
        }

        // Only the work throws checked exceptions, all of type X.
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        <X extends Exception> X cause() {
            for (Throwable suppressed : getSuppressed()) {
                cause.addSuppressed(suppressed);
            }
            return (X) cause;
        }
    }
}
