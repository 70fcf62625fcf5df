package dev.waybill.inbox;

import dev.waybill.hold.Holds;
import dev.waybill.schema.SchemaName;
import javax.sql.DataSource;

/** An operator's decisions about messages that wait to be handled. */
public final class InboxHolds {
    private InboxHolds() {}

    /**
     * The holds of all consumers. A skipped message's id is recorded, so that it is not handled if it comes again.
     */
    public static Holds in(DataSource dataSource, SchemaName schema) {
        Inbox inbox = Inbox.in(schema);
        return Holds.ofInbox(
                dataSource,
                schema,
                (tx, key, message) ->
                        inbox.firstTime(tx, key.scope(), message.content().messageId()));
    }
}
