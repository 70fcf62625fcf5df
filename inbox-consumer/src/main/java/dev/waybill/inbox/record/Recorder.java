package dev.waybill.inbox.record;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.connect.Commit;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.lock.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Records messages that are to be handled: those that have arrived, or those that were held. */
public interface Recorder {
    /** Records messages from the broker. */
    static Recorder ofReceived(
            RecordStatements recording, InboxInsert insert, String consumer, DeferralTable deferrals) {
        return new ReceivedRecorder(recording, insert, consumer, deferrals);
    }

    /**
     * Locks the session until the end of the transaction, records the id, and says whether the message may be
     * handled.
     *
     * @param fence of the session's acceptance; null if the message does not come by one
     * @throws LockLostException if somebody has accepted the session since
     */
    InboxRecord record(Connection tx, InboundMessage message, @Nullable Fence fence) throws SQLException;

    /** Commits, then records another message in a new transaction on the same connection. */
    default InboxRecord commitAndRecord(Connection tx, InboundMessage next, @Nullable Fence fence) throws SQLException {
        Commit.ofMessage(tx);
        return record(tx, next, fence);
    }

    /** Whether the message's id is on record, whoever has done it. */
    boolean isRecorded(Connection tx, InboundMessage message) throws SQLException;

    /**
     * Commits the rest that belongs to a message that is done, now or before.
     *
     * @return whether anything was written
     * @throws LockLostException if the message is somebody else's by now
     */
    boolean conclude(Connection tx, InboundMessage message, InboxRecord recorded) throws SQLException;
}
