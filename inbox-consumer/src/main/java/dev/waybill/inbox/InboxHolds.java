package dev.waybill.inbox;

import dev.waybill.hold.Holds;
import dev.waybill.schema.SchemaName;
import javax.sql.DataSource;

/** An operator's decisions about held messages of consumers. */
public final class InboxHolds {
    private InboxHolds() {}

    /** The holds of all consumers. Skipping a message records its id, so that a later copy is not handled. */
    public static Holds in(DataSource dataSource, SchemaName schema) {
        Inbox inbox = Inbox.in(schema);
        return Holds.ofInbox(
                dataSource,
                schema,
                (tx, key, message) ->
                        inbox.firstTime(tx, key.scope(), message.content().messageId()));
    }
}
