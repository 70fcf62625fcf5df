package dev.waybill.inbox;

import dev.waybill.inbox.ConsumerStatus.Kept;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.run.CleanUp;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/** Lists and removes the ids that consumers remember. Needs the role of a consumer. Thread-safe. */
public final class InboxMaintenance {
    private static final String CONSUMERS = """
            with ids as (
                select consumer as name, count(*) as ids, min(handled_at) as oldest from %1$s group by consumer),
            deferred as (
                select consumer as name, count(*) as deferrals, min(deferred_at) as oldest from %2$s group by consumer),
            held as (select consumer as name, count(*) as holds from %3$s group by consumer),
            names as (
                select name from ids union select name from deferred union select name from held
                union select consumer from %4$s)
            select n.name, coalesce(i.ids, 0), i.oldest, coalesce(d.deferrals, 0), d.oldest, coalesce(h.holds, 0),
                exists (select from %4$s a where a.consumer = n.name and a.alive_until > clock_timestamp())
            from names n left join ids i using (name) left join deferred d using (name) left join held h using (name)
            order by n.name""";

    private final DataSource dataSource;
    private final SchemaName schema;
    private final DSLContext dsl;

    private InboxMaintenance(DataSource dataSource, SchemaName schema) {
        this.dataSource = dataSource;
        this.schema = schema;
        dsl = OptionalTables.of(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
    }

    public static InboxMaintenance in(DataSource dataSource, SchemaName schema) {
        return new InboxMaintenance(dataSource, schema);
    }

    /** Every consumer with rows in the database, by name. Counts all ids, which is slow on large tables. */
    public List<ConsumerStatus> check() {
        String sql = CONSUMERS.formatted(
                schema.table("inbox_message"),
                schema.table("inbox_deferral"),
                schema.table("inbox_hold"),
                schema.table("inbox_instance"));
        return dsl.fetch(sql)
                .map(row -> new ConsumerStatus(
                        row.get(0, String.class),
                        row.get(6, Boolean.class),
                        Kept.of(row.get(1, Long.class), row.get(2, OffsetDateTime.class)),
                        Kept.of(row.get(3, Long.class), row.get(4, OffsetDateTime.class)),
                        row.get(5, Long.class)));
    }

    /**
     * Removes a consumer's ids that are older than the retention, as the consumer itself does. Deletes in batches, each in its own
     * transaction, and keeps every id that a message can still need.
     *
     * @param dryRun rolls every batch back
     * @return how many ids were removed, or would be
     * @throws IllegalStateException if the consumer has not been at work without a pause for {@link Retention#settling}: older messages
     *     may still wait for it. Keys of requests are exempt; see {@link IdempotencyKeys#prune}
     */
    public long prune(String consumer, Retention retention, boolean dryRun) {
        try {
            return new CleanUp(new Database(dataSource), schema, consumer, retention).prune(dryRun);
        } catch (SQLException e) {
            throw new DataAccessException("The ids of consumer '" + consumer + "' could not be pruned", e);
        }
    }
}
