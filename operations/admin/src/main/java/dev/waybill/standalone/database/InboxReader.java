package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Reads and prunes the ids of inboxes. Thread-safe. */
public final class InboxReader {
    private static final int CHUNK = 5_000;

    private final DSLContext dsl;
    private final SchemaName schema;

    public InboxReader(DataSource dataSource, SchemaName schema) {
        this.dsl = OptionalTables.of(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
        this.schema = schema;
    }

    /** Every consumer with data. Scans all ids. */
    public List<Consumer> consumers() {
        return dsl.fetch(CONSUMERS.formatted(schema))
                .map(row -> new Consumer(
                        row.get("name", String.class),
                        row.get("alive", Boolean.class),
                        row.get("ids", Long.class),
                        Optional.ofNullable(row.get("oldest", OffsetDateTime.class))
                                .map(OffsetDateTime::toInstant),
                        new Deferrals(row.get("deferrals", Long.class), row.get("forgotten", Long.class)),
                        row.get("holds", Long.class)));
    }

    /** The number of ids that {@link #prune} would remove. */
    public long prunable(String consumer, Duration olderThan) {
        return dsl.fetchSingle(
                        "select count(*) from " + PRUNABLE.formatted(schema), val(consumer), val(olderThan.toMillis()))
                .get(0, Long.class);
    }

    /** Removes ids in batches, each in its own transaction; returns the count. */
    public long prune(String consumer, Duration olderThan) {
        String answers = FeatureMissing.isInstalled(dsl, schema, "inbox_response") ? ANSWERS.formatted(schema) : "";
        long removed = 0;
        while (true) {
            int portion = dsl.execute(
                    PRUNE.formatted(schema, PRUNABLE.formatted(schema), answers),
                    val(consumer),
                    val(olderThan.toMillis()));
            removed += portion;
            if (portion < CHUNK) {
                return removed;
            }
        }
    }

    public record Consumer(
            String name, boolean alive, long ids, Optional<Instant> oldest, Deferrals deferrals, long holds) {}

    /** The deferred messages of a consumer; {@code forgotten} ones were deferred for a day without a resume request. */
    public record Deferrals(long count, long forgotten) {}

    private static final String CONSUMERS = """
            with ids as (
              select consumer as name, count(*) as ids, min(handled_at) as oldest from %1$s.inbox_message group by consumer
            ), deferred as (
              select consumer as name, count(*) as deferrals, count(*) filter (
                where resume_at is null and deferred_at < clock_timestamp() - interval '1 day') as forgotten
              from %1$s.inbox_deferral group by consumer
            ), held as (
              select consumer as name, count(*) as holds from %1$s.inbox_hold group by consumer
            ), names as (
              select name from ids union select name from deferred union select name from held
              union select consumer from %1$s.inbox_instance
            )
            select n.name, coalesce(i.ids, 0) as ids, i.oldest, coalesce(d.deferrals, 0) as deferrals,
              coalesce(d.forgotten, 0) as forgotten, coalesce(h.holds, 0) as holds,
              exists (select from %1$s.inbox_instance a
                where a.consumer = n.name and a.alive_until > clock_timestamp()) as alive
            from names n left join ids i using (name) left join deferred d using (name) left join held h using (name)
            order by n.name
            """;

    private static final String PRUNABLE = """
            %1$s.inbox_message m
            where m.consumer = {0} and m.handled_at < clock_timestamp() - {1} * interval '1 millisecond'
              and not exists (
                select from %1$s.inbox_hold h join %1$s.inbox_held_message i on i.hold_id = h.id
                where h.consumer = m.consumer and i.message_id = m.message_id)
              and not exists (select from %1$s.inbox_deferral d where d.key = m.key)
              and not exists (
                select from %1$s.dead_letter l
                where l.message_id = m.message_id and (l.state in ('open', 'quarantined')
                  or l.state = 'redriven' and l.changed_at > clock_timestamp() - {1} * interval '1 millisecond'))
            """;

    private static final String ANSWERS =
            ", answers as (delete from %1$s.inbox_response r using old where r.key = old.key)";

    private static final String PRUNE = """
            with old as (select m.key from %2$s limit 5000)%3$s
            delete from %1$s.inbox_message m using old where m.key = old.key
            """;
}
