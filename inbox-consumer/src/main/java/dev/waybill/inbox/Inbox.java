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
 * The ids that each consumer has handled. For client requests see {@link IdempotencyKeys}. Immutable and thread-safe.
 *
 * <p>All methods work in the caller's READ COMMITTED transaction. In REPEATABLE READ a concurrent duplicate fails with SQLSTATE 40001,
 * for the caller to retry. In auto-commit mode they throw {@link IllegalStateException}: the id would commit without its effects.
 */
public final class Inbox {
    /** Between two statements a clean-up may delete the id, which is new then. */
    private static final int MOST_ATTEMPTS = 3;

    private final InboxInsert insert;
    private final Responses responses;

    private Inbox(SchemaName schema) {
        insert = InboxInsert.plain(schema);
        responses = new Responses(schema);
    }

    public static Inbox in(SchemaName schema) {
        return new Inbox(schema);
    }

    /** Records an id; true the first time, false if it was committed before. Waits for a transaction that is recording the same id. */
    public boolean firstTime(DSLContext tx, String consumer, String id) {
        requireText(consumer, "consumer");
        requireText(id, "id or key");
        return tx.connectionResult(connection -> {
            requireTransaction(connection);
            return insert.execute(connection, consumer, id);
        });
    }

    // All that have none would be one fact.
    private static void requireText(String text, String what) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("The " + what + " is blank; it tells one fact from others");
        }
    }

    /** {@link #firstTime(DSLContext, String, String)} in the transaction of a plain connection. */
    public boolean firstTime(Connection tx, String consumer, String id) {
        return firstTime(DSL.using(tx, SQLDialect.POSTGRES), consumer, id);
    }

    /**
     * Runs the work once per id and returns the first response each time. Does not compare requests; {@link IdempotencyKeys} does.
     *
     * @param work runs in this transaction, which also stores its response
     * @throws IllegalStateException if the id was recorded without a response
     */
    public Response once(DSLContext tx, String consumer, String id, Supplier<Response> work) {
        return once(tx, consumer, id, null, work);
    }

    Response once(DSLContext tx, String consumer, String id, byte @Nullable [] request, Supplier<Response> work) {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
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

    /** The response stored with an id. */
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
