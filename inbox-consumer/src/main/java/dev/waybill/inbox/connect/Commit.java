package dev.waybill.inbox.connect;

import dev.waybill.schema.KnownTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A commit that cannot be mistaken. PostgreSQL answers the commit of a failed transaction by rolling it back, and the driver
 * reports success: a handler that swallows a statement's error would have its message completed without any effect.
 */
public final class Commit {
    // In one round trip; in a failed transaction the first of the two raises 25P02.
    private static final String PLAIN = "select 1; commit";

    private static final String ENDED = "The handler has ended the transaction of its message itself";

    // A name of our own: nobody else sets it, and no role has it from its beginning.
    private static final String ADMITTED = "waybill.admitted";

    // It counts for transactions that begin from here on, so for none: its value ends with this one. The server
    // reports each change of it (from version 14 on), so that the driver knows without a question.
    private static final String REPORTED = "default_transaction_read_only";

    // Only where it is off otherwise does "on" tell this transaction from the next one. Where a role has it on,
    // the mark is "off", which the driver is not asked for.
    private static final String OPPOSITE = """
            case when current_setting('%1$s', true) = 'yes' then current_setting('%2$s')
                when current_setting('%2$s') = 'on' then 'off' else 'on' end""".formatted(ADMITTED, REPORTED);

    /** Has to run in the transaction, as part of a select list; what it sets ends with the transaction. */
    public static final String MARK =
            "set_config('" + REPORTED + "', " + OPPOSITE + ", true), set_config('" + ADMITTED + "', 'yes', true)";

    /** The commit of a transaction that is {@linkplain #isKnown known} to be the marked one. */
    public static final String KNOWN = "commit";

    /** Commits a transaction that was marked, and raises 22P02 in any other one. */
    public static final String MARKED = "select (case coalesce(current_setting('" + ADMITTED
            + "', true), '') when 'yes' then '1' else '" + ENDED + "' end)::integer; commit";

    /** The same without the commit: the last thing in a transaction that somebody else commits. */
    private static final String GUARD = MARKED.substring(0, MARKED.lastIndexOf(';'));

    private Commit() {}

    static void of(Connection connection) throws SQLException {
        execute(connection, PLAIN);
    }

    /**
     * Commits a message's transaction. One that the handler has begun after it ended the message's is refused: effects would
     * be lost, or be apart from the message's id.
     */
    public static void ofMessage(Connection connection) throws SQLException {
        execute(connection, isKnown(connection) ? KNOWN : MARKED);
    }

    /** Whether the driver knows that the marked transaction is open, and has not failed. Costs no round trip. */
    public static boolean isKnown(Connection connection) {
        return KnownTransaction.isSoundWith(connection, REPORTED, "on");
    }

    /**
     * Refuses a message's transaction that has failed, or that the handler has ended, before somebody else commits
     * it.
     */
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
