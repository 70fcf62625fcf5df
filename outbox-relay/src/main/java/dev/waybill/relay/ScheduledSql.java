package dev.waybill.relay;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;

import dev.waybill.schema.SchemaName;
import java.util.stream.Collectors;
import org.jooq.Field;

/**
 * The statements about rows that wait for their time.
 *
 * <p>None of them may cross what was moved or cancelled: a range begins at a floor and ends at the present, what was written
 * late is found by its writer, a session is read from its first row that was left to the floor. The planner cannot know what is dead:
 * to one who has just counted the few rows that live, all indexes look alike, also one that it reads from end to end. So
 * each part leaves it one way in: what was found is read by its place in the table, and {@code is not distinct from},
 * {@code + interval '0'} and {@code + 0} keep conditions from fitting an index.
 */
final class ScheduledSql {
    private ScheduledSql() {}

    static String look(SchemaName schema) {
        return LOOK.formatted(
                schema.table("outbox_scheduled"),
                MOMENT,
                unseen(schema, "destination, w.due_at", "s.snapshot", "true"));
    }

    static String choose(SchemaName schema, boolean claims) {
        String columns = "ctid as tid, w.id, w.session_id, w.due_at";
        String late = unseen(schema, columns, "{3}", "w.destination is not distinct from {0}");
        return take(schema, claims, CHOOSE.formatted(schema.table("outbox_scheduled"), late));
    }

    static String chooseLeft(SchemaName schema, boolean claims) {
        return take(schema, claims, CHOOSE_LEFT.formatted(schema.table("outbox_scheduled")));
    }

    static String chooseLoose(SchemaName schema, boolean claims) {
        return take(schema, claims, CHOOSE_LOOSE.formatted(schema.table("outbox_scheduled")));
    }

    private static String take(SchemaName schema, boolean claims, String found) {
        return TAKE.formatted(
                schema.table("outbox_scheduled"),
                MOMENT,
                found,
                claims ? CLAIMS.formatted(schema.table("outbox_claim")) : NO_CLAIMS,
                ClaimTable.claimOf("w.headers"));
    }

    static String move(SchemaName schema, boolean claims) {
        return MOVE.formatted(
                schema.table("outbox_scheduled"),
                schema.table("outbox_message"),
                columns(),
                claims ? NEED_BODIES.formatted(schema.table("outbox_claim"), ClaimTable.claimOf("d.headers")) : "");
    }

    private static String unseen(SchemaName schema, String columns, String snapshot, String condition) {
        return UNSEEN.formatted(
                schema.table("outbox_scheduled"), columns, "(" + snapshot + ")::pg_snapshot", NOW, condition);
    }

    // The columns that the relay reads of a row come along, but for the sequence value, which is drawn anew.
    private static String columns() {
        return OutboxRow.COLUMNS.stream()
                .filter(column -> column != OUTBOX_MESSAGE.SEQ)
                .map(Field::getName)
                .collect(Collectors.joining(", ", "destination, ", ""));
    }

    // The statistics are reset whenever a server comes back from a crash, which its start time does not tell.
    // Everybody may read both. On a standby a snapshot does not list what runs on the primary.
    private static final String MOMENT = """
            statement_timestamp()::text as now, (extract(epoch from statement_timestamp()) * 1000000)::bigint as now_micros,
            pg_current_snapshot()::text as snapshot,
            not pg_is_in_recovery() as is_primary,
            concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
              extract(epoch from pg_stat_get_bgwriter_stat_reset_time())) as server
            """;

    // A subquery of its own, so that it is taken once for the statement and not once for each id that is compared.
    private static final String NOW = "(select pg_current_snapshot())";

    // The rows that a snapshot did not see and this statement does: those of transactions that it lists and that have
    // ended since, and those of transactions that have begun since and ended. Of one that still runs nothing is
    // visible, and it may have written very many rows. So later rows are read in the ranges between those that run.
    // OFFSET 0 keeps other conditions out, whose index would lead through the moved rows.
    private static final String UNSEEN = """
            (select w.%2$s from %1$s w
             where w.xid = any(array(
                 select l.xid from (select pg_snapshot_xip(%3$s) union all select pg_snapshot_xmax(%3$s)) as l(xid)
                 where pg_visible_in_snapshot(l.xid, %4$s)))
               and %5$s offset 0)
            union all
            (select w.* from (
               select l.xid as after, lead(l.xid, 1, pg_snapshot_xmax(%4$s)) over (order by l.xid) as before
               from (select pg_snapshot_xmax(%3$s)
                 union all select r from pg_snapshot_xip(%4$s) as r where r > pg_snapshot_xmax(%3$s)) as l(xid)) as g
             cross join lateral (
               select w.%2$s from %1$s w where w.xid > g.after and w.xid < g.before and %5$s offset 0) as w)
            """;

    // Messages due beyond the next second are not looked for: between now and then may lie any number of cancelled
    // rows. Most destinations share one snapshot, and what it did not see is read once for all of them. A late row
    // that is due at the very time of the floor may also be one ahead, which says the same. How long a message has
    // been due is not computed: since -infinity is too long for a number.
    private static final String LOOK = """
            with late as materialized (
              select s.snapshot, x.destination, min(x.due_at) as due_at
              from (select distinct snapshot from unnest({3}::text[]) as f(snapshot)) as s
              cross join lateral (%3$s) as x
              group by s.snapshot, x.destination
            )
            select d.destination, b.*,
              case when least(ahead.due_at, late.due_at) <= statement_timestamp() then 0
                else ceil(extract(epoch from least(ahead.due_at, late.due_at) - statement_timestamp()) * 1000)
                end::bigint as millis
            from unnest({0}::text[], {1}::text[], {2}::bigint[], {3}::text[]) as d(destination, due, id, snapshot)
            cross join (select %2$s offset 0) b
            left join lateral (
              select w.due_at from %1$s w
              where w.destination = d.destination and (w.due_at, w.id) > (d.due::timestamptz, d.id)
                and w.due_at <= statement_timestamp() + interval '1 second'
              order by w.due_at, w.id limit 1) ahead on true
            left join late on late.snapshot = d.snapshot and late.destination = d.destination
              and late.due_at <= d.due::timestamptz
            """;

    // Not clock_timestamp(), which is volatile: the whole of what waits would be read to find what is due.
    private static final String CHOOSE = """
            select c.tid, c.id, c.session_id, c.due_at from (
              (select w.ctid as tid, w.id, w.session_id, w.due_at from %1$s w
               where w.destination = {0} and (w.due_at, w.id) > ({1}::timestamptz, {2}::bigint)
                 and w.due_at <= statement_timestamp()
               order by w.due_at, w.id limit {4})
              union all
              select x.tid, x.id, x.session_id, x.due_at from (%2$s) x
              where (x.due_at, x.id) <= ({1}::timestamptz, {2}::bigint) and x.due_at <= statement_timestamp()) c
            order by c.due_at, c.id limit {4}
            """;

    // The bounds begin with the session, so that they fit its index and not the one by due time. That the session is
    // the same they say as well: said by itself it would make the order fit the other index, whose rows are of all
    // sessions. They end at the floor: what is due beyond it is found from there.
    private static final String CHOOSE_LEFT = """
            select w.tid, w.id, w.session_id, w.due_at
            from unnest({3}::text[], {4}::text[], {5}::bigint[]) as s(session_id, due, id)
            cross join lateral (
              select r.ctid as tid, r.id, r.session_id, r.due_at from %1$s r
              where r.destination = {0}
                and (r.session_id, r.due_at, r.id) >= (s.session_id, s.due::timestamptz, s.id)
                and (r.session_id, r.due_at, r.id) <= (s.session_id, {1}::timestamptz, {2}::bigint)
                and (r.session_id, r.due_at) <= (s.session_id, statement_timestamp())
              order by r.session_id, r.due_at, r.id limit {6}) w
            """;

    // By their ids and not by their places in the table, which change when it is rewritten. OFFSET 0 leaves the planner
    // the index of ids alone.
    private static final String CHOOSE_LOOSE = """
            select w.tid, w.id, w.session_id, w.due_at
            from unnest({3}::bigint[]) as l(id)
            cross join lateral (
              select r.ctid as tid, r.* from %1$s r where r.id = l.id offset 0) w
            where w.destination = {0} and w.session_id is null
              and (w.due_at, w.id) <= ({1}::timestamptz, {2}::bigint) and w.due_at <= statement_timestamp()
            """;

    // Of the rows that were found, whether they are ours to move, with the claims that they name: the statement that
    // moves them waits for nobody. A claim that is not in the register is kept elsewhere. The clock may have been set
    // back behind the floor.
    private static final String TAKE = """
            with found as materialized (%3$s),
            locked as materialized (
              select w.id, %5$s as claim from %1$s w
              where w.ctid = any(array(select tid from found)) and w.due_at + interval '0' <= statement_timestamp()
              for update of w skip locked
            ),
            %4$s
            free as (
              select l.id from locked l
              where l.claim is null or l.claim not in (select n.claim from named n) or l.claim in (select o.claim from ours o)
            )
            select b.*, f.tid::text as tid, f.id, f.session_id, f.due_at::text as due,
              case when isfinite(f.due_at) then (extract(epoch from f.due_at) * 1000000)::bigint end as micros,
              f.id in (select m.id from free m) as locked
            from (select %2$s, statement_timestamp() >= {1}::timestamptz as reached) b left join found f on true
            order by f.due_at, f.id
            """;

    private static final String CLAIMS = """
            named as materialized (
              select c.claim from %1$s c where c.claim = any(array(select l.claim from locked l))
            ),
            ours as materialized (
              select c.claim from %1$s c where c.claim = any(array(select n.claim from named n))
              for no key update of c skip locked
            ),
            """;

    private static final String NO_CLAIMS = """
            named as (select null::uuid as claim where false),
            ours as (select null::uuid as claim where false),
            """;

    private static final String NEED_BODIES =
            ", claims as (update %1$s c set xid = pg_current_xact_id() from due d where c.claim = %2$s)";

    // The rows are locked, so that they are still where they were found. A body that was kept elsewhere is needed until
    // the row that is written here is published.
    private static final String MOVE = """
            with due as (delete from %1$s where ctid = any({0}::tid[]) returning *)%4$s
            insert into %2$s (%3$s) select %3$s from due order by due_at, id
            """;
}
