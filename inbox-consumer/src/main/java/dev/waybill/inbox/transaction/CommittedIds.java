package dev.waybill.inbox.transaction;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.record.InboxInsert;
import java.sql.SQLException;

/** Knows which messages are done, whoever has recorded them. Thread-safe. */
record CommittedIds(Database database, InboxInsert insert, String consumer) {
    /**
     * Whether a message's id is committed. Asks in a transaction of its own, and by an insert that is taken back:
     * it waits for a transaction whose commit is still under way, which a look would pass by.
     */
    boolean contains(InboundMessage message) throws SQLException {
        boolean[] recorded = {false};
        database.undone(tx -> recorded[0] = !insert.execute(tx, consumer, message.id()));
        return recorded[0];
    }
}
