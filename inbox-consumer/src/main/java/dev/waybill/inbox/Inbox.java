package dev.waybill.inbox;

import dev.waybill.migrations.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** The memory of what each consumer has handled. Immutable and thread-safe. */
public final class Inbox {
    private final InboxInsert insert;

    private Inbox(SchemaName schema) {
        insert = InboxInsert.plain(schema);
    }

    /** The inbox in a schema of Waybill's tables. */
    public static Inbox in(SchemaName schema) {
        return new Inbox(schema);
    }

    /**
     * Records an id in the caller's transaction. If another transaction is recording the same id, waits for its end.
     *
     * @param tx an open transaction in READ COMMITTED; in REPEATABLE READ a concurrent duplicate fails with SQLSTATE
     *     40001, and the transaction is to be tried again
     * @param consumer whose memory it is; at most as long as makes sense as a name
     * @return true the first time, false if a committed transaction has recorded the id for this consumer
     * @throws IllegalStateException if the connection is in auto-commit mode: the record would live apart from the effects
     */
    public boolean firstTime(DSLContext tx, String consumer, String id) {
        return tx.connectionResult(connection -> {
            requireTransaction(connection);
            return insert.execute(connection, consumer, id);
        });
    }

    /** As {@link #firstTime(DSLContext, String, String)}, in the transaction of a plain connection. */
    public boolean firstTime(Connection tx, String consumer, String id) {
        return firstTime(DSL.using(tx, SQLDialect.POSTGRES), consumer, id);
    }

    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("The inbox needs the connection of an open transaction, but this one is in"
                    + " auto-commit mode; pass the transaction's own DSLContext or Connection");
        }
    }
}
