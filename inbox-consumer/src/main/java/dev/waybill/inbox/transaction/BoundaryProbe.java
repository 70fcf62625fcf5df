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
 * Checks a boundary's transactions: they are real, belong to the database of the consumer's tables, and end as requested. Real services
 * failed each check: a connection in auto-commit mode, one that its manager does not know, one of another manager. Thread-safe.
 */
final class BoundaryProbe {
    private static final String ID = "select pg_current_xact_id()::text";
    private static final String STATE =
            "select current_setting('transaction_isolation') || ' ' || current_setting('transaction_read_only')";
    private static final String STATUS = "select pg_xact_status(?::xid8)";

    /** The lock class: "WAYB" in ASCII. */
    private static final int LOCK = 1463900482;

    private final Database database;

    BoundaryProbe(Database database) {
        this.database = database;
    }

    // Has no effects. Throws IllegalStateException if the boundary is unusable, and SQLException if the database is
    // unavailable.
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

    // Then the database fails, not the boundary, and may recover soon.
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

    /** The id of a checked transaction that has ended. */
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

    // A lock is visible only in its database, and only while its transaction is open.
    private void requireSameDatabase(Connection connection) throws Exception {
        String key = LOCK + ", " + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
        ask(connection, "select pg_advisory_xact_lock(" + key + ")::text");
        require(!isFree(key), "it has another database than the consumer, or its transactions end by themselves");
    }

    // On a thread without a transaction: on this one, a pool that the manager knows would return the transaction's
    // connection.
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
