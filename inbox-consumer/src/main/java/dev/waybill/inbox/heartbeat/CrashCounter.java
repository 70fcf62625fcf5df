package dev.waybill.inbox.heartbeat;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.lock.InboxKey;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.Traces;
import java.sql.SQLException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts starts of a copy's handling without an end, which only a dead process leaves behind. It writes only from the second delivery
 * on, or for a message that was there when a process vanished, so a healthy one costs nothing. A repaired and re-driven copy starts at
 * zero. Thread-safe.
 */
public final class CrashCounter {
    private static final Logger LOG = LoggerFactory.getLogger(CrashCounter.class);
    private static final Traces TRACES = new Traces();

    private final Database database;
    private final String consumer;
    private final String begin;
    private final String takeBack;
    private final String forget;
    private final int most;
    private final ConsumerHeartbeat heartbeat;

    /** A message may have at most this many starts without an end. */
    public CrashCounter(Database database, SchemaName schema, String consumer, int most, ConsumerHeartbeat heartbeat) {
        this.most = most;
        this.heartbeat = heartbeat;
        this.database = database;
        this.consumer = consumer;
        String table = schema.table("inbox_start");
        begin = "with begun as (insert into " + table + " as known (key, consumer, starts) values (?, ?, 1)"
                + " on conflict (key) do update set starts = known.starts + 1, started_at = clock_timestamp()"
                + " returning starts)"
                + " select case when exists (select from " + schema.table("inbox_message")
                + " where key = ?) then 0 else starts end from begun";
        takeBack = "with last as (delete from " + table + " where key = ? and starts <= 1)" + " update " + table
                + " set starts = starts - 1 where key = ? and starts > 1";
        forget = "delete from " + table + " where key = ?";
    }

    public boolean concerns(InboundMessage message) {
        return message.deliveryCount() > 1 || heartbeat.isSuspicious(message);
    }

    public int most() {
        return most;
    }

    // Returns the number of starts without an end, including this one; 0 for a message that is done, because it cannot
    // have ended a process.
    public int begin(InboundMessage message) throws SQLException {
        UUID copy = InboxKey.ofCopy(consumer, message);
        return database.number(begin, copy, consumer, InboxKey.of(consumer, message.id()));
    }

    // An unsettled message comes again, and its earlier starts keep counting.
    public void end(InboundMessage message, boolean settled) {
        UUID copy = InboxKey.ofCopy(consumer, message);
        try {
            if (settled) {
                database.update(forget, copy);
            } else {
                database.update(takeBack, copy, copy);
            }
        } catch (SQLException e) {
            // One start too many remains; a suspicion needs several.
            TRACES.warn(LOG, "The end of message '" + message.id() + "' could not be recorded", e);
        }
    }
}
