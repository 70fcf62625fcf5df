package dev.waybill.inbox.heartbeat;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.connect.Database;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.Traces;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that a process of this consumer recently ended without removing its heartbeat. The broker does not report that: when a
 * connection ends, its sessions return without a higher delivery count. Thread-safe.
 */
public final class ConsumerHeartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerHeartbeat.class);
    private static final Traces TRACES = new Traces();

    private static final String SUSPICION = "interval '10 minutes'";

    /** How far the clocks of broker and database may be apart. */
    private static final String SKEW = "interval '1 minute'";

    private final UUID id = UUID.randomUUID();
    private final Database database;
    private final String consumer;
    private final String beat;
    private final String dead;
    private final String others;
    private final String entity;
    private final Duration longestAttempt;
    private final String leave;
    private List<String> told = List.of();
    private volatile Instant suspiciousUntil = Instant.MIN;

    /**
     * The longest attempt is an upper bound of the time for which a worker of this process has a message; {@code entity} is
     * what the process receives from.
     */
    public ConsumerHeartbeat(
            Database database, SchemaName schema, String consumer, String entity, Duration longestAttempt) {
        this.database = database;
        this.entity = entity;
        this.longestAttempt = longestAttempt;
        this.consumer = consumer;
        String table = schema.table("inbox_instance");
        beat = "with old as (delete from " + table
                + " where alive_until < clock_timestamp() - greatest("
                + SUSPICION + ", longest_attempt * interval '1 millisecond')),"
                + " known as (insert into " + schema.table("inbox_consumer")
                + " (name) values (?) on conflict do nothing)"
                + " insert into " + table + " (id, consumer, entity, longest_attempt, trouble, alive_until)"
                + " values (?, ?, ?, ?, ?, clock_timestamp() + interval '10 seconds')"
                + " on conflict (id) do update set alive_until = excluded.alive_until, trouble = excluded.trouble";
        dead = "select coalesce(max(alive_until), '-infinity') + " + SKEW + " from " + table
                + " where consumer = ? and alive_until < clock_timestamp()"
                + " and alive_until >= clock_timestamp() - " + SUSPICION;
        others = "select distinct entity from " + table + " where consumer = ? and alive_until > clock_timestamp()"
                + " and lower(entity) <> lower(?) order by entity";
        leave = "delete from " + table + " where id = ?";
    }

    // An SQL expression: the longest attempt over all processes of a consumer, in milliseconds. Its parameters are this
    // process's value and the consumer. A frozen process counts until all its attempts have exceeded their time.
    public static String longestAttempt(SchemaName schema) {
        return "greatest(?::bigint, (select max(longest_attempt) from " + schema.table("inbox_instance")
                + " where consumer = ?))";
    }

    /** Records the first heartbeat. */
    public void beat() throws SQLException {
        beat(null);
    }

    /** Records this process's heartbeat and why it receives nothing, and looks for missing heartbeats. Runs every few seconds. */
    public void beat(@Nullable String trouble) throws SQLException {
        database.update(beat, consumer, id, consumer, entity, longestAttempt.toMillis(), trouble);
        suspiciousUntil = database.list(dead, row -> row.getTimestamp(1).toInstant(), consumer)
                .get(0);
        tellOthers(database.list(others, row -> row.getString(1), consumer, entity));
    }

    private synchronized void tellOthers(List<String> entities) {
        if (!entities.isEmpty() && !entities.equals(told)) {
            LOG.warn(
                    "Consumer '{}' receives from '{}', and another one of this name from {}. They share ids, held messages and"
                            + " states of sessions, so each may handle what the other one has held. Give each handler a name of"
                            + " its own; one handler may receive from both while a queue moves",
                    consumer,
                    entity,
                    entities);
        }
        told = entities;
    }

    /** Whether the message may have ended a process in the last ten minutes: it was there when that process vanished. */
    public boolean isSuspicious(InboundMessage message) {
        return message.enqueuedAt().isBefore(suspiciousUntil);
    }

    public void leave() {
        try {
            database.update(leave, id);
        } catch (SQLException e) {
            TRACES.warn(
                    LOG,
                    "Consumer '" + consumer + "' could not remove its heartbeat, and counts as killed for ten minutes",
                    e);
        }
    }
}
