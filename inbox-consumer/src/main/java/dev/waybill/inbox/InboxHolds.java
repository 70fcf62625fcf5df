package dev.waybill.inbox;

import dev.waybill.hold.Holds;
import dev.waybill.inbox.record.InboxInsert;
import dev.waybill.schema.SchemaName;
import javax.sql.DataSource;

/** An operator's decisions about held messages of consumers. */
public final class InboxHolds {
    private InboxHolds() {}

    /**
     * The holds of all consumers. Skipping a message records its id, so that a later copy is not handled. Not that of a dead letter:
     * the broker does not deliver it again, and it may be re-driven again.
     */
    public static Holds in(DataSource dataSource, SchemaName schema) {
        var insert = InboxInsert.plain(schema);
        return Holds.ofInbox(dataSource, schema, (tx, key, message) -> {
            if (message.deadLetter() == null) {
                tx.connection(connection -> insert.execute(
                        connection, key.scope(), message.content().messageId()));
            }
        });
    }
}
