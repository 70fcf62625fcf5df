package dev.waybill.inbox.run;

import dev.waybill.inbox.Retention;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.connect.OptionalTable;
import dev.waybill.schema.SchemaName;
import java.sql.SQLException;

/**
 * Removes ids that are old enough, a stretch of the table at a time: no index by age has to be kept for it, which every
 * message would pay for. Never after a pause of the consumer until it has worked for a while, and never an id that a hold, a
 * deferral or a dead letter names: in whatever state, for each can be opened or restored and brought back. Not thread-safe.
 */
public final class CleanUp {
    private static final int BLOCKS = 500;
    private static final String LONGEST_PAUSE = "interval '5 minutes'";

    private final Database database;
    private final String consumer;
    private final Retention retention;
    private final String alive;
    private final String atWork;
    private final String keyOwners;
    private final String consumers;
    private final String blocks;
    private final SchemaName schema;
    private final OptionalTable deferrals;
    private final OptionalTable letters;
    private final OptionalTable responses;
    private final OptionalTable keys;
    private final String removeTroubles;
    private final String table;
    private int nextBlock;

    public CleanUp(Database database, SchemaName schema, String consumer, Retention retention) {
        this.database = database;
        this.schema = schema;
        deferrals = new OptionalTable(schema, "inbox_deferral");
        letters = new OptionalTable(schema, "dead_letter_message");
        responses = new OptionalTable(schema, "inbox_response");
        keys = new OptionalTable(schema, "inbox_key_owner");
        this.consumer = consumer;
        this.retention = retention;
        String messages = schema.table("inbox_message");
        alive = "insert into " + schema.table("inbox_consumer") + " as known (name) values (?)"
                + " on conflict (name) do update set alive_until = clock_timestamp(),"
                + " alive_since = case when known.alive_until < clock_timestamp() - " + LONGEST_PAUSE
                + " then clock_timestamp() else known.alive_since end"
                + " returning extract(epoch from clock_timestamp() - alive_since)::integer";
        atWork = "select coalesce(max(extract(epoch from clock_timestamp() - alive_since))::integer, 0) from "
                + schema.table("inbox_consumer") + " where name = ? and alive_until >= clock_timestamp() - "
                + LONGEST_PAUSE;
        keyOwners = "select count(*) from " + schema.table("inbox_key_owner") + " where name = ?";
        consumers = "select (select count(*) from " + schema.table("inbox_consumer") + " where name = ?)"
                + " + (select count(*) from " + schema.table("inbox_instance") + " where consumer = ?)";
        blocks = "select (pg_relation_size(?::regclass) / current_setting('block_size')::integer)::integer";
        removeTroubles = """
                with starts as (
                    delete from %s where consumer = ? and started_at < clock_timestamp() - ? * interval '1 millisecond'
                    returning 1),
                closes as (
                    delete from %s where consumer = ? and closed_at < clock_timestamp() - ? * interval '1 millisecond'
                    returning 1),
                acceptances as (
                    delete from %s where consumer = ? and accepted_at < clock_timestamp() - ? * interval '1 millisecond'
                    returning 1)
                select (select count(*) from starts)::integer + (select count(*) from closes)::integer
                    + (select count(*) from acceptances)::integer""".formatted(
                        schema.table("inbox_start"), schema.table("inbox_session"), schema.table("inbox_acceptance"));
        table = messages;
    }

    private static final String REMOVE = """
            with gone as (
                delete from %1$s.inbox_message m
                where ctid >= ?::tid and ctid < ?::tid and consumer = ?
                    and handled_at < clock_timestamp() - ? * interval '1 millisecond'
                    and not exists (
                        select from %1$s.inbox_hold h join %1$s.inbox_held_message i on i.hold_id = h.id
                        where h.consumer = m.consumer and i.message_id = m.message_id)
                    %2$s %3$s
                returning key)
            %4$s
            select count(*)::integer from gone""";

    private static final String NOT_DEFERRED = "and not exists (select from %s.inbox_deferral d where d.key = m.key)";
    private static final String NOT_DEAD =
            "and not exists (select from %s.dead_letter l where l.message_id = m.message_id)";
    private static final String WITH_RESPONSE =
            ", answers as (delete from %s.inbox_response r using gone where r.key = gone.key)";

    private String remove() throws SQLException {
        return REMOVE.formatted(
                schema,
                deferrals.isInstalled(database) ? NOT_DEFERRED.formatted(schema) : "",
                letters.isInstalled(database) ? NOT_DEAD.formatted(schema) : "",
                responses.isInstalled(database) ? WITH_RESPONSE.formatted(schema) : "");
    }

    /**
     * Says that the consumer is at work, and cleans the next stretch of the table if it has been for long enough.
     *
     * @return whether the end of the table was not reached, so that there is more to do at once
     */
    public boolean run() throws SQLException {
        if (database.number(alive, consumer) < retention.settling().toSeconds()) {
            nextBlock = 0;
            return false;
        }
        int end = nextBlock + BLOCKS;
        long keep = retention.keep().toMillis();
        database.number(remove(), tid(nextBlock), tid(end), consumer, keep);
        nextBlock = end < database.number(blocks, table) ? end : 0;
        if (nextBlock == 0) {
            database.number(removeTroubles, consumer, keep, consumer, keep, consumer, keep);
        }
        return nextBlock > 0;
    }

    /** Cleans the whole table at once. */
    public long prune(boolean dryRun) throws SQLException {
        if (!mayForgetAtAnyTime()
                && database.number(atWork, consumer) < retention.settling().toSeconds()) {
            throw new IllegalStateException("Consumer '" + consumer + "' has not been at work for "
                    + retention.settling() + " without a pause: messages that waited for it may still come");
        }
        return pruneAll(dryRun);
    }

    /** The same, if the ids are keys of requests and nothing else. */
    public long pruneKeys(boolean dryRun) throws SQLException {
        if (database.number(consumers, consumer, consumer) > 0) {
            throw new IllegalStateException("'" + consumer
                    + "' is a consumer, whose ids must outlast its messages; they are pruned by its retention");
        }
        return mayForgetAtAnyTime() ? pruneAll(dryRun) : 0;
    }

    // Nothing waits anywhere for the owner of such keys to be at work.
    private boolean mayForgetAtAnyTime() throws SQLException {
        return keys.isInstalled(database)
                && database.number(keyOwners, consumer) > 0
                && database.number(consumers, consumer, consumer) == 0;
    }

    private long pruneAll(boolean dryRun) throws SQLException {
        long keep = retention.keep().toMillis();
        int end = database.number(blocks, table);
        String remove = remove();
        long pruned = 0;
        for (int block = 0; block < end; block += BLOCKS) {
            String from = tid(block);
            String to = tid(block + BLOCKS);
            pruned += dryRun
                    ? database.numberUndone(remove, from, to, consumer, keep)
                    : database.number(remove, from, to, consumer, keep);
        }
        return pruned;
    }

    private static String tid(int block) {
        return "(" + block + ",0)";
    }
}
