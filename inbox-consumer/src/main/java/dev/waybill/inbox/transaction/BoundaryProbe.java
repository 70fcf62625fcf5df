package dev.waybill.inbox.transaction;

import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.failure.DatabaseErrors;
import dev.waybill.inbox.failure.FailureText;
import dev.waybill.inbox.record.PreconditionQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a boundary's transactions are transactions, of the database in which the consumer has its
 * tables, and end as they are told. Each thing that is asked was wrong in some service: a connection in
 * auto-commit, one that its manager does not know, another manager's. Thread-safe.
 */
final class BoundaryProbe {
    private static final String ID = "select pg_current_xact_id()::text";
    private static final String STATE =
            "select current_setting('transaction_isolation') || ' ' || current_setting('transaction_read_only')";
    private static final String STATUS = "select pg_xact_status(?::xid8)";

    /** Names the probe's locks among others of two numbers: "WAYB". */
    private static final int LOCK = 1463900482;

    private final Database database;

    /** @param database where the consumer has its tables, by its own connections */
    BoundaryProbe(Database database) {
        this.database = database;
    }

    /**
     * Commits one transaction and rolls another one back, both without any effect.
     *
     * @throws IllegalStateException if the boundary cannot be used, and why
     * @throws SQLException if that cannot be found out because the database cannot be reached
     */
    void require(TransactionBoundary boundary, Duration longest) throws SQLException, InterruptedException {
        try {
            String committed = ended(boundary, longest, true);
            requireStatus(committed, "committed");
            String rolledBack = ended(boundary, longest, false);
            requireStatus(rolledBack, "aborted");
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            requireWritable(e);
            throw e instanceof Refusal refusal ? refusal : new Refusal("it fails with " + FailureText.brief(e), e);
        }
    }

    // Then it is not the boundary's fault, and may be over soon.
    private void requireWritable(Exception met) throws SQLException {
        if (DatabaseErrors.isDatabaseDown(met)) {
            throw met instanceof SQLException sql ? sql : new SQLException(met);
        }
        if (!database.list(DatabaseGate.TAKES_WRITES, row -> row.getBoolean(1)).get(0)) {
            throw new SQLException("The database takes no writes", DatabaseErrors.READ_ONLY, met);
        }
    }

    private void requireStatus(String id, String expected) throws SQLException {
        String status = database.list(STATUS, row -> String.valueOf(row.getString(1)), id)
                .get(0);
        require(
                status.equals(expected),
                "a transaction that should be " + expected + " is '" + status + "' in the database");
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new Refusal(otherwise, null);
        }
    }

    private static final class Refusal extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        Refusal(String why, @Nullable Throwable cause) {
            super("The transaction boundary cannot be used: " + why, cause);
        }
    }

    /** The id of a transaction that was found sound, and has ended. */
    private String ended(TransactionBoundary boundary, Duration longest, boolean commits) throws Exception {
        TransactionBoundary.Transaction transaction = BoundaryTransactions.begin(boundary, longest);
        String id = "";
        try {
            id = soundId(transaction);
        } finally {
            if (id.isEmpty()) {
                BoundaryTransactions.rollBack(transaction);
            }
        }
        if (commits) {
            transaction.commit();
        } else {
            transaction.rollBack();
        }
        return id;
    }

    private String soundId(TransactionBoundary.Transaction transaction) throws Exception {
        Connection connection = transaction.connection();
        String first = ask(connection, ID);
        require(
                first.equals(ask(connection, ID)),
                "its connection is not in a transaction. It is in auto-commit mode, or was not enlisted with the"
                        + " manager, or belongs to another data source than the manager's");
        List<String> elsewhere = transaction.askElsewhere(ID);
        require(
                elsewhere.stream().allMatch(first::equals),
                "what handlers use beside its connection is in another transaction, or in none");
        require(
                ask(connection, STATE).equals(PreconditionQuery.ISOLATION + " off"),
                "its transactions have to be READ COMMITTED and not read-only, and are: " + ask(connection, STATE));
        require(!transaction.isRollbackOnly(), "its transactions are marked to be rolled back from the beginning");
        requireSameDatabase(connection);
        return first;
    }

    // A lock is seen in its database alone, and as long as its transaction is open.
    private void requireSameDatabase(Connection connection) throws Exception {
        String key = LOCK + ", " + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
        ask(connection, "select pg_advisory_xact_lock(" + key + ")::text");
        require(!isFree(key), "it has another database than the consumer, or its transactions end by themselves");
    }

    // In a thread without a transaction: to this one, a pool that the manager knows hands out the
    // transaction's connection.
    private boolean isFree(String key) throws Exception {
        String query = "select pg_try_advisory_xact_lock(" + key + ")";
        var task = new FutureTask<>(
                () -> database.list(query, row -> row.getBoolean(1)).get(0));
        var thread = new Thread(task, "waybill-inbox-proof-of-the-database");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static String ask(Connection connection, String query) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }
}
