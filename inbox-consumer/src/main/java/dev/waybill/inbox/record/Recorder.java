package dev.waybill.inbox.record;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.connect.Commit;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.lock.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Records messages to handle: received ones, or held ones. */
public interface Recorder {
    static Recorder ofReceived(
            RecordStatements recording, InboxInsert insert, String consumer, DeferralTable deferrals) {
        return new ReceivedRecorder(recording, insert, consumer, deferrals);
    }

    // Locks the session until the end of the transaction, records the id, and determines whether the message may be
    // handled. Throws LockLostException if the session has a later owner.
    InboxRecord record(Connection tx, InboundMessage message, @Nullable Fence fence) throws SQLException;

    default InboxRecord commitAndRecord(Connection tx, InboundMessage next, @Nullable Fence fence) throws SQLException {
        Commit.ofMessage(tx);
        return record(tx, next, fence);
    }

    /** Whether a transaction has recorded the message's id. */
    boolean isRecorded(Connection tx, InboundMessage message) throws SQLException;

    /** Writes the remaining changes for a message that is done; returns whether there were any. */
    boolean conclude(Connection tx, InboundMessage message, InboxRecord recorded) throws SQLException;
}
