package dev.waybill.inbox.lock;

import dev.waybill.inbox.connect.Database;
import dev.waybill.schema.SchemaName;
import java.sql.SQLException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Allocates fencing tokens, each higher than those before. Thread-safe. */
public final class Fences {
    private static final Logger LOG = LoggerFactory.getLogger(Fences.class);
    private static final long DIGITS = 1_048_576;

    // After a crash the server may repeat a sequence value; the random digits then differ.
    private static final String ALLOCATE = "select nextval(?::regclass) * " + DIGITS + " + floor(random() * " + DIGITS
            + ")::bigint, (select token from %s where key = ?)";

    private static final String CATCH_UP = "select max(nextval(?::regclass))::text from generate_series(1, ?)";
    private static final long MOST_AT_ONCE = 1_000_000;

    private final Database database;
    private final String allocate;
    private final String sequence;
    private final String consumer;
    private final String entity;

    public Fences(Database database, SchemaName schema, String consumer, String entity) {
        this.database = database;
        this.consumer = consumer;
        this.entity = entity;
        allocate = ALLOCATE.formatted(schema.table("inbox_acceptance"));
        sequence = schema.table("inbox_acceptance_seq");
    }

    /** Throws {@link IllegalStateException} if the sequence is still far behind; a later call may succeed. */
    public Fence allocate(String session) throws SQLException {
        // Sessions of different entities have different owners.
        UUID key = InboxKey.ofSession(consumer, entity, session);
        Allocated allocated = allocated(key);
        if (allocated.isBehind()) {
            catchUp(allocated);
            allocated = allocated(key);
        }
        if (allocated.isBehind()) {
            throw new IllegalStateException(
                    "The sequence " + sequence + " is still behind its allocated tokens; the next attempt may succeed");
        }
        return new Fence(key, allocated.token());
    }

    private Allocated allocated(UUID key) throws SQLException {
        return database.list(allocate, row -> new Allocated(row.getLong(1), row.getLong(2)), sequence, key)
                .get(0);
    }

    // Logical replication copies tables but no sequences. With tokens from before, the consumer could record no
    // message.
    private void catchUp(Allocated allocated) throws SQLException {
        long behind = (allocated.recorded() - allocated.token()) / DIGITS + 1;
        LOG.warn(
                "The sequence {} is {} behind its allocated tokens, as after a change of the server; it is advanced",
                sequence,
                behind);
        database.list(CATCH_UP, row -> row.getString(1), sequence, Math.min(behind, MOST_AT_ONCE));
    }

    /** @param recorded the highest token under which a message of the session was recorded; 0 if none was */
    private record Allocated(long token, long recorded) {
        boolean isBehind() {
            return token <= recorded;
        }
    }
}
