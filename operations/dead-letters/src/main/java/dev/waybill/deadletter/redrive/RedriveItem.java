package dev.waybill.deadletter.redrive;

import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.deadletter.RedriveRun;
import dev.waybill.deadletter.redrive.RedriveHeaders.Body;
import dev.waybill.deadletter.redrive.RedriveHeaders.LastDeath;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.deadletter.store.FirstEnqueued;
import dev.waybill.message.WireContract;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** A letter in a step, without its body. It may have been emptied since the run was begun. */
record RedriveItem(long id, LastDeath death, long sequenceNumber, Message message, boolean emptied, String source) {
    /** A message, whose body is kept outside if it is claimed. */
    record Message(
            String id, @Nullable String session, @Nullable String headers, Body body, boolean claimed) {}

    static RedriveItem of(ResultSet row, MovedDestinations moved) throws SQLException {
        var death = new LastDeath(
                row.getString(2),
                row.getString(3),
                row.getObject(4, OffsetDateTime.class).toInstant(),
                row.getLong(5),
                row.getInt(6),
                new FirstEnqueued(row.getObject(14, OffsetDateTime.class).toInstant(), row.getLong(15)));
        var message = new Message(
                row.getString(9),
                row.getString(8),
                row.getString(10),
                new Body(DeadLetterRows.constant(BodyKind.class, row.getString(13)), row.getInt(12)),
                row.getBoolean(11));
        return new RedriveItem(
                row.getLong(1), death, row.getLong(7), message, row.getBoolean(16), moved.destination(death.entity()));
    }

    String headers(String now) {
        return RedriveHeaders.of(death, message.headers(), message.body(), now);
    }

    /** Unique to the letter and the run, and the same when a step is repeated. */
    String brokerId(long run) {
        return WireContract.redriveId(
                message.id(),
                death.entity(),
                Long.toString(sequenceNumber),
                Long.toString(death.enqueuedAt().toEpochMilli()),
                Long.toString(id),
                Long.toString(run));
    }

    String destination(RedriveRun run) {
        return run.request().target().orElse(source);
    }
}
