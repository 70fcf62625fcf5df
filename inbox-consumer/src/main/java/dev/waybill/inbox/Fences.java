package dev.waybill.inbox;

import dev.waybill.migrations.SchemaName;
import java.sql.SQLException;

/** Draws fencing tokens, each higher than those before. Thread-safe. */
final class Fences {
    // The server may give a value again that it had drawn right before a crash; not with the same digits behind it.
    private static final String DRAW = "select nextval(?::regclass) * 1048576 + floor(random() * 1048576)::bigint";

    private final Database database;
    private final String sequence;
    private final String consumer;
    private final String entity;

    Fences(Database database, SchemaName schema, String consumer, String entity) {
        this.database = database;
        this.consumer = consumer;
        this.entity = entity;
        sequence = schema.table("inbox_acceptance_seq");
    }

    /** For a session that the broker has just given to this consumer. */
    Fence draw(String session) throws SQLException {
        long token = database.list(DRAW, row -> row.getLong(1), sequence).get(0);
        // The same session of another entity has another owner.
        return new Fence(InboxKey.ofSession(consumer, entity, session), token);
    }
}
