package dev.waybill.inbox;

import dev.waybill.inbox.record.InboxInsert;
import dev.waybill.inbox.record.Responses;
import dev.waybill.inbox.record.Responses.Stored;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * The memory of what each consumer has handled. For requests and the keys that clients send with them see
 * {@link IdempotencyKeys}. Immutable and thread-safe.
 *
 * <p>All methods work in the caller's transaction, in READ COMMITTED. In REPEATABLE READ a concurrent duplicate fails with
 * SQLSTATE 40001, and the transaction is to be tried again. They throw {@link IllegalStateException} on a connection in
 * auto-commit mode: the record would live apart from the effects.
 */
public final class Inbox {
    /** An id may be pruned between two statements: it is new then. */
    private static final int MOST_LOOKS = 3;

    private final InboxInsert insert;
    private final Responses responses;

    private Inbox(SchemaName schema) {
        insert = InboxInsert.plain(schema);
        responses = new Responses(schema);
    }

    /** The inbox in a schema of Waybill's tables. */
    public static Inbox in(SchemaName schema) {
        return new Inbox(schema);
    }

    /**
     * Records an id. If another transaction is recording the same id, waits for its end.
     *
     * @param consumer whose memory it is
     * @return true the first time, false if a committed transaction has recorded the id for this consumer
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

    /**
     * Does something once per id, and gives the first time's answer every time. The request that comes with the id does
     * not matter; {@link IdempotencyKeys} refuse another one.
     *
     * @param work what to do in this transaction; its answer is stored in it
     * @throws IllegalStateException if the id was recorded without an answer
     */
    public Response once(DSLContext tx, String consumer, String id, Supplier<Response> work) {
        return once(tx, consumer, id, null, work);
    }

    Response once(DSLContext tx, String consumer, String id, byte @Nullable [] request, Supplier<Response> work) {
        for (int look = 0; look < MOST_LOOKS; look++) {
            if (firstTime(tx, consumer, id)) {
                Response response = work.get();
                var answer = new Stored(response, request);
                tx.connection(connection -> responses.store(connection, consumer, id, answer));
                return response;
            }
            Optional<Stored> answer = tx.connectionResult(connection -> responses.find(connection, consumer, id));
            if (answer.isPresent()) {
                if (answer.get().isOfAnother(request)) {
                    throw new IdempotencyKeyReusedException(consumer, id);
                }
                return answer.get().response();
            }
        }
        throw new IllegalStateException("'" + id + "' was recorded for consumer '" + consumer + "' without an answer");
    }

    /** The answer that was stored with an id, if there is one. */
    public Optional<Response> response(DSLContext tx, String consumer, String id) {
        return tx.connectionResult(connection -> responses.find(connection, consumer, id))
                .map(Stored::response);
    }

    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("The inbox needs the connection of an open transaction, but this one is in"
                    + " auto-commit mode; pass the transaction's own DSLContext or Connection");
        }
    }
}
