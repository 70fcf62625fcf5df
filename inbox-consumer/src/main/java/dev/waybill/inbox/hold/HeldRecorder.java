package dev.waybill.inbox.hold;

import dev.waybill.hold.Attempt;
import dev.waybill.hold.Attempts;
import dev.waybill.hold.HeldMessage;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.record.InboxRecord;
import dev.waybill.inbox.record.Recorder;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Records a message out of a hold, which it leaves in the transaction of its effects. */
record HeldRecorder(Recorder arrived, Attempts attempts, Attempt attempt, HeldMessage held) implements Recorder {
    @Override
    public InboxRecord record(Connection tx, InboundMessage message, @Nullable Fence fence) throws SQLException {
        InboxRecord recorded = arrived.record(tx, message, null);
        // The hold found there is the message's own.
        return new InboxRecord(
                recorded.id(), null, recorded.deferred(), false, recorded.backend(), recorded.snapshot());
    }

    @Override
    public boolean isRecorded(Connection tx, InboundMessage message) throws SQLException {
        return arrived.isRecorded(tx, message);
    }

    @Override
    public boolean conclude(Connection tx, InboundMessage message, InboxRecord recorded) throws SQLException {
        if (!attempts.done(Handler.transaction(tx), attempt, held)) {
            throw new LockLostException("The attempt at the hold of the " + attempt.key() + " has ended", null);
        }
        // Another copy may be deferred on the broker.
        arrived.conclude(tx, message, recorded);
        return true;
    }
}
