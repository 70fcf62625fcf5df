package dev.waybill.inbox.transaction;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.record.InboxInsert;
import java.sql.SQLException;

/** Looks up which messages are done. Thread-safe. */
record CommittedIds(Database database, InboxInsert insert, String consumer) {
    /** Uses an insert that is rolled back, in its own transaction: it waits for a commit in progress, which a query would miss. */
    boolean contains(InboundMessage message) throws SQLException {
        boolean[] recorded = {false};
        database.undone(tx -> recorded[0] = !insert.execute(tx, consumer, message.id()));
        return recorded[0];
    }
}
