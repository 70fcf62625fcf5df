package dev.waybill.inbox.record;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.lock.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

final class ReceivedRecorder implements Recorder {
    private final RecordStatements recording;
    private final InboxInsert insert;
    private final String consumer;
    private final DeferralTable deferrals;

    ReceivedRecorder(RecordStatements recording, InboxInsert insert, String consumer, DeferralTable deferrals) {
        this.recording = recording;
        this.insert = insert;
        this.consumer = consumer;
        this.deferrals = deferrals;
    }

    @Override
    public InboxRecord record(Connection tx, InboundMessage message, @Nullable Fence fence) throws SQLException {
        return recording.record(tx, message, fence);
    }

    @Override
    public InboxRecord commitAndRecord(Connection tx, InboundMessage next, @Nullable Fence fence) throws SQLException {
        return recording.commitAndRecord(tx, next, fence);
    }

    @Override
    public boolean isRecorded(Connection tx, InboundMessage message) throws SQLException {
        return insert.isRecorded(tx, consumer, message.id());
    }

    @Override
    public boolean conclude(Connection tx, InboundMessage message, InboxRecord recorded) throws SQLException {
        if (recorded.deferred()) {
            deferrals.done(tx, message);
        }
        return recorded.deferred();
    }
}
