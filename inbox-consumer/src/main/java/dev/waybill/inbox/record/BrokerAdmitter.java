package dev.waybill.inbox.record;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.lock.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The terms of a message from the broker. Thread-safe. */
final class BrokerAdmitter implements Admitter {
    private final Admitting admitting;
    private final InboxInsert insert;
    private final String consumer;
    private final DeferralTable deferrals;

    BrokerAdmitter(Admitting admitting, InboxInsert insert, String consumer, DeferralTable deferrals) {
        this.admitting = admitting;
        this.insert = insert;
        this.consumer = consumer;
        this.deferrals = deferrals;
    }

    @Override
    public Admission admit(Connection tx, InboundMessage message, @Nullable Fence fence) throws SQLException {
        return admitting.admit(tx, message, fence);
    }

    @Override
    public Admission commitAndAdmit(Connection tx, InboundMessage next, @Nullable Fence fence) throws SQLException {
        return admitting.commitAndAdmit(tx, next, fence);
    }

    @Override
    public boolean isRecorded(Connection tx, InboundMessage message) throws SQLException {
        return insert.isRecorded(tx, consumer, message.id());
    }

    @Override
    public boolean conclude(Connection tx, InboundMessage message, Admission admission) throws SQLException {
        if (admission.deferred()) {
            deferrals.done(tx, message);
        }
        return admission.deferred();
    }
}
