package dev.waybill.inbox;

import java.sql.Connection;
import java.sql.SQLException;

/** The terms of a message from the broker. Thread-safe. */
final class Arrived implements Terms {
    private final InboxInsert insert;
    private final String consumer;
    private final Deferrals deferrals;

    Arrived(InboxInsert insert, String consumer, Deferrals deferrals) {
        this.insert = insert;
        this.consumer = consumer;
        this.deferrals = deferrals;
    }

    @Override
    public Admission admit(Connection tx, InboundMessage message) throws SQLException {
        return insert.admit(tx, consumer, message);
    }

    @Override
    public Admission commitAndAdmit(Connection tx, InboundMessage next) throws SQLException {
        return insert.commitAndAdmit(tx, consumer, next);
    }

    @Override
    public boolean isRecorded(Connection tx, InboundMessage message) throws SQLException {
        return insert.isRecorded(tx, consumer, message.id());
    }

    @Override
    public boolean conclude(Connection tx, InboundMessage message, Admission admission) throws SQLException {
        if (admission.deferred()) {
            deferrals.forget(tx, consumer, message);
        }
        return admission.deferred();
    }
}
