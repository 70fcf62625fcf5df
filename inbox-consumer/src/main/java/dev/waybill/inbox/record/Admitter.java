package dev.waybill.inbox.record;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.connect.Commit;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.lock.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** On what terms a message may be handled: those of one that has arrived, or of one that was held. */
public interface Admitter {
    /** The terms of a message from the broker. */
    static Admitter ofReceived(Admitting admitting, InboxInsert insert, String consumer, DeferralTable deferrals) {
        return new BrokerAdmitter(admitting, insert, consumer, deferrals);
    }

    /**
     * Locks the session until the end of the transaction, records the id, and says whether the message may be
     * handled.
     *
     * @param fence of the session's acceptance; null if the message does not come by one
     * @throws LockLostException if somebody has accepted the session since
     */
    Admission admit(Connection tx, InboundMessage message, @Nullable Fence fence) throws SQLException;

    /** Commits, then admits another message in a new transaction on the same connection. */
    default Admission commitAndAdmit(Connection tx, InboundMessage next, @Nullable Fence fence) throws SQLException {
        Commit.ofMessage(tx);
        return admit(tx, next, fence);
    }

    /** Whether the message's id is on record, whoever has done it. */
    boolean isRecorded(Connection tx, InboundMessage message) throws SQLException;

    /**
     * Commits the rest that belongs to a message that is done, now or before.
     *
     * @return whether anything was written
     * @throws LockLostException if the message is somebody else's by now
     */
    boolean conclude(Connection tx, InboundMessage message, Admission admission) throws SQLException;
}
