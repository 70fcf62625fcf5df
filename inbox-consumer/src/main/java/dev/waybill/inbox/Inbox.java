package dev.waybill.inbox;

import static dev.waybill.migrations.jooq.Tables.INBOX_MESSAGE;

import dev.waybill.migrations.SchemaName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import org.jooq.DSLContext;

/** The memory of what each consumer has handled. Immutable and thread-safe. */
public final class Inbox {
    private final SchemaName schema;

    private Inbox(SchemaName schema) {
        this.schema = schema;
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
     * @return true the first time, false if a committed transaction has recorded the id for this consumer
     */
    public boolean firstTime(DSLContext tx, String consumer, String id) {
        return schema.in(tx)
                        .insertInto(INBOX_MESSAGE, INBOX_MESSAGE.KEY, INBOX_MESSAGE.CONSUMER, INBOX_MESSAGE.MESSAGE_ID)
                        .values(key(consumer, id), consumer, id)
                        .onConflictDoNothing()
                        .execute()
                == 1;
    }

    private static UUID key(String consumer, String id) {
        byte[] name = consumer.getBytes(StandardCharsets.UTF_8);
        MessageDigest digest = sha256();
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).flip());
        digest.update(name);
        var key = ByteBuffer.wrap(digest.digest(id.getBytes(StandardCharsets.UTF_8)));
        return new UUID(key.getLong(), key.getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
