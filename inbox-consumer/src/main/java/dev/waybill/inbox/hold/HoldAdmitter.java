package dev.waybill.inbox.hold;

import dev.waybill.hold.Attempt;
import dev.waybill.hold.Attempts;
import dev.waybill.hold.HeldMessage;
import dev.waybill.inbox.HandlersDsl;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.lock.Fence;
import dev.waybill.inbox.record.Admission;
import dev.waybill.inbox.record.Admitter;
import dev.waybill.inbox.record.Admitting;
import dev.waybill.inbox.record.InboxInsert;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The terms of a message that comes out of a hold: it leaves the hold in the transaction of its effects. */
record HoldAdmitter(Admitting admitting, InboxInsert insert, Attempts attempts, Attempt attempt, HeldMessage held)
        implements Admitter {
    @Override
    public Admission admit(Connection tx, InboundMessage message, @Nullable Fence fence) throws SQLException {
        Admission admission = admitting.admit(tx, message, null);
        // It is in the very hold that is seen there.
        return new Admission(admission.first(), null, false, false, admission.backend(), admission.snapshot());
    }

    @Override
    public boolean isRecorded(Connection tx, InboundMessage message) throws SQLException {
        return insert.isRecorded(tx, attempt.key().scope(), message.id());
    }

    @Override
    public boolean conclude(Connection tx, InboundMessage message, Admission admission) {
        if (!attempts.done(HandlersDsl.of(tx), attempt, held)) {
            throw new LockLostException("The attempt at the hold of the " + attempt.key() + " has ended", null);
        }
        return true;
    }
}
