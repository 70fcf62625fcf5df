package dev.waybill.inbox.connect;

import dev.waybill.schema.KnownTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Commits, and detects that PostgreSQL answered the commit of a failed transaction with a rollback, which the driver reports as
 * success. Otherwise a handler that swallows a statement's error would complete its message without effects.
 */
public final class Commit {
    // One round trip. In a failed transaction the select raises 25P02.
    private static final String PLAIN = "select 1; commit";

    private static final String ENDED = "The handler has ended the transaction of its message itself";

    // Our own setting: no role or other component sets it.
    private static final String ADMITTED = "waybill.admitted";

    // The setting applies to transactions that begin later, so it has no effect: its value ends with this transaction.
    // From version 14 the server reports each change, so the driver knows the value without a query.
    private static final String REPORTED = "default_transaction_read_only";

    // The value "on" marks this transaction only where the default is off. Where a role has it on, the mark is "off",
    // and the driver's knowledge is not used.
    private static final String OPPOSITE = """
            case when current_setting('%1$s', true) = 'yes' then current_setting('%2$s')
                when current_setting('%2$s') = 'on' then 'off' else 'on' end""".formatted(ADMITTED, REPORTED);

    /** Part of the select list of a statement in the transaction; the settings end with the transaction. */
    public static final String MARK =
            "set_config('" + REPORTED + "', " + OPPOSITE + ", true), set_config('" + ADMITTED + "', 'yes', true)";

    /** For a transaction that {@link #isKnown} identified as the marked one. */
    public static final String KNOWN = "commit";

    /** Commits a marked transaction, and raises 22P02 in any other. */
    public static final String MARKED = "select (case coalesce(current_setting('" + ADMITTED
            + "', true), '') when 'yes' then '1' else '" + ENDED + "' end)::integer; commit";

    /** {@link #MARKED} without the commit, for a transaction that another manager commits. */
    private static final String GUARD = MARKED.substring(0, MARKED.lastIndexOf(';'));

    private Commit() {}

    static void of(Connection connection) throws SQLException {
        execute(connection, PLAIN);
    }

    // Rejects a transaction that the handler began after it ended the message's: effects would be lost, or separated
    // from the message's id.
    public static void ofMessage(Connection connection) throws SQLException {
        execute(connection, isKnown(connection) ? KNOWN : MARKED);
    }

    /** Whether the driver knows that the marked transaction is open and sound. Needs no round trip. */
    public static boolean isKnown(Connection connection) {
        return KnownTransaction.isSoundWith(connection, REPORTED, "on");
    }

    /** Rejects a message's transaction that has failed or that the handler ended, before its manager commits it. */
    public static void guard(Connection connection) throws SQLException {
        if (!isKnown(connection)) {
            execute(connection, GUARD);
        }
    }

    public static boolean isRefused(SQLException failure) {
        return failure.getMessage() != null && failure.getMessage().contains(ENDED);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
    }
}
