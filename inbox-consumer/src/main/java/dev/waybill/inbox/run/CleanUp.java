package dev.waybill.inbox.run;

import dev.waybill.inbox.Retention;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.connect.OptionalTable;
import dev.waybill.schema.SchemaName;
import java.sql.SQLException;

/**
 * Deletes expired ids, a range of the table at a time: so there is no index by age, which every message would pay for. After a pause of
 * the consumer it waits until the consumer has worked for a while. It keeps every id of a hold, deferral or dead letter in any state,
 * because each can be brought back. Not thread-safe.
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

    // Returns whether the end of the table was not reached, so that more work is due at once.
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

    public long prune(boolean dryRun) throws SQLException {
        if (!mayForgetAtAnyTime()
                && database.number(atWork, consumer) < retention.settling().toSeconds()) {
            throw new IllegalStateException("Consumer '" + consumer + "' has not been at work for "
                    + retention.settling() + " without a pause: messages that waited for it may still arrive");
        }
        return pruneAll(dryRun);
    }

    /** Cleans the whole table if all ids are keys of requests. */
    public long pruneKeys(boolean dryRun) throws SQLException {
        if (database.number(consumers, consumer, consumer) > 0) {
            throw new IllegalStateException("'" + consumer
                    + "' is a consumer, whose ids must outlast its messages; prune them with its retention");
        }
        return mayForgetAtAnyTime() ? pruneAll(dryRun) : 0;
    }

    // No message can wait for the owner of request keys.
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
