package dev.waybill.inbox.connect;

import java.sql.Connection;
import java.sql.Savepoint;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;

// jOOQ's own provider would treat the first nested transaction on a bare connection as the outermost one, and commit
// the inbox's transaction. One instance per message.
final class Savepoints implements TransactionProvider {
    private final Deque<Savepoint> open = new ArrayDeque<>();

    @Override
    public void begin(TransactionContext context) {
        open.push(context.dsl().connectionResult(Connection::setSavepoint));
    }

    @Override
    public void commit(TransactionContext context) {
        Savepoint savepoint = open.pop();
        context.dsl().connection(connection -> connection.releaseSavepoint(savepoint));
    }

    @Override
    public void rollback(TransactionContext context) {
        Savepoint savepoint = open.pop();
        context.dsl().connection(connection -> connection.rollback(savepoint));
    }
}
