package dev.waybill.relay;

import dev.waybill.relay.ReadSql.Fit;

/**
 * The statement that reads a page, as {@link ReadTemplate} fills it: what the read saw, a part for the late rows of all lanes, and
 * one for the new rows of the lanes that stand before each partition.
 */
final class PageTemplate {
    // The materialised step makes the planner enter by the index on xid: entered by lane, it would read all
    // history below the position. The empty string and "+ 0" keep it from the index of lanes, where it would
    // find everything published. Judged by each group's own snapshot and bound, so that a lane that stands still
    // makes no other read more. A transaction that has not ended is passed over: nothing of it is visible, and it may
    // have
    // written very many rows. One that has is read once for all groups. All rows with the first value come, as of new
    // rows; ties would have all late rows
    // sorted for that.
    private static final String LATE_ROWS = """
            asked as materialized (
              select ?::text as destination, ?::text as token, ?::int as rows, ?::bigint as bytes, ?::boolean as one
            ),
            seen as materialized (
              select g.* from unnest(?::pg_snapshot[], ?::xid8[]) with ordinality as g(snapshot, next_xid, seen)
            ),
            ended as materialized (
              select distinct x.xid from seen g cross join lateral pg_snapshot_xip(g.snapshot) as x(xid)
              where pg_visible_in_snapshot(x.xid, pg_current_snapshot())
            ),
            lanes as materialized (
              select a.*, l.bucket, l.position, l.seen, l.lane::int - 1 as lane, (l.position + 1) >> $shift as block,
                exists (
                  select from $schema.hold h
                  where h.side = 'outbox' and h.scope = a.destination and h.bucket = l.bucket) as holds
              from asked a
              cross join unnest(?::smallint[], ?::bigint[], ?::int[]) with ordinality as l(bucket, position, seen, lane)
              where not exists (select from $schema.outbox_pause p where p.destination = a.destination)
            ),
            late as materialized (
              select g.seen, m.*
              from (
                select r.xid as row_xid, r.* from ended
                cross join lateral (select * from $schema.outbox_row o where o.xid = ended.xid offset 0) r
                where r.destination || '' = (select destination from asked)
                  and r.seq + 0 <= (select max(position) from lanes)
                offset 0
              ) m
              join seen g on m.row_xid < pg_snapshot_xmax(g.snapshot)
                and not pg_visible_in_snapshot(m.row_xid, g.snapshot)
              union all
              select g.seen, m.*
              from seen g
              cross join lateral (
                select r.xid as row_xid, r.* from $schema.outbox_row r
                where r.xid >= pg_snapshot_xmax(g.snapshot) and r.xid < g.next_xid
                  and r.destination || '' = (select destination from asked)
                  and r.seq + 0 <= (select max(position) from lanes)
                offset 0
              ) m
            ),
            late_first as (
              select l.holds, l.rows, l.bytes, m.*,
                row_number() over o as rank, sum($weight(m)) over o as running
              from (
                select m.*, l.lane from late m join lanes l on l.bucket = m.bucket and l.seen = m.seen
                where m.seq <= l.position $after
                order by m.seq
                limit (select greatest(rows * (select count(*) from lanes), $most_alike) + 1 from asked)
              ) m join lanes l on l.lane = m.lane
              window o as (order by m.seq rows unbounded preceding)
            ),
            late_fit as (
              select m.*, m.rank = 1 or m.running <= m.bytes
                and m.rank <= m.rows * (select count(*) from lanes) as fits
              from late_first m
              where m.rank <= 2
                or m.running - $weight(m) <= m.bytes and m.rank <= m.rows * (select count(*) from lanes) + 1
                or m.seq = (select min(f.seq) from late_first f)
            ),
            late_rows as (
              select m.*, m.seq <= (select max(f.seq) from late_fit f where f.fits) as whole from late_fit m
            )
            """;

    // A value that was drawn twice, as after a sequence was set back, comes with both its rows, because the next
    // read begins behind it. So it is told apart from the rows themselves whether there are more.
    private static final String LATE_PART = """
            select 1, m.lane, null, null, null, null, null, null, not bool_and(m.fits), $arrays
            from (select m.*, $late_held as held, $rare(m) as rare from late_rows m) m
            group by m.lane
            """;

    private static final String LATE_HELD = """
            case when m.holds and m.session_id is not null then exists (
              select from $schema.hold h where h.side = 'outbox' and h.scope = m.destination
                and h.key = length(m.session_id)::text || ':' || m.session_id) else false end""";

    private static final String PAGE =
            "with " + LATE_ROWS.replace("$after", "") + """
            select 0 as part, 0 as lane,
              case when exists (select from lanes) then pg_current_snapshot()::text else '' end as snapshot,
              case when pg_current_wal_flush_lsn() < written then written::text end as unflushed,
              $sight,
              (select current_setting('waybill.loop', true) = token from asked) as same,
              exists (
                select from lanes l join $schema.hold h
                  on h.side = 'outbox' and h.scope = l.destination and h.bucket = l.bucket
                where l.holds and $due) as holds_due,
              false as more, $nothing
            from pg_current_wal_insert_lsn() as written
            union all
            """ + LATE_PART.replace("$late_held", LATE_HELD);

    // With ties, because the next read begins behind the last value: a page with room for one value only has to bring
    // all its rows.
    //
    // The partition by name: through its parent, a lane would ask all of them for a row, at the price of the
    // page itself, and a condition on the partition key misleads the planner about how many rows there are.
    private static final String NEXT_ROWS = "from $schema.outbox_message_$slot p where $next";

    private static final String NEXT_STRAGGLERS = "from $schema.outbox_straggler p"
            + " where (select exists (select from $schema.outbox_straggler)) and $next";

    private static final String NEXT = """
            p.destination = l.destination and $bucket(p.session_id, p.message_id) = l.bucket
              and p.seq > l.position and p.seq < (l.block + 1) << $shift
            order by p.seq
            fetch first (select rows + 1 from asked) rows with ties""";

    // How far a lane's rows fit is found out by their sizes alone, because rows that pass a window with their bodies
    // are copied there. Of a row that does not fit, everything but the body comes along, so that it is known to be
    // there; also behind a first row that is larger than the page.
    private static final String FRESH_BY_SUMS = next("""
            union all
            select 2, l.lane, null, null, null, null, null, null, reach.more, found.*
            from lanes l
            cross join lateral (
              select max(w.seq) as known, max(w.seq) filter (where w.fits) as fits, not bool_and(w.fits) as more
              from (
                select r.*, (r.running <= l.bytes or l.one and r.rank = 1) and r.rank <= l.rows as fits
                from (
                  select n.seq, n.weight, row_number() over o as rank, sum(n.weight) over o as running
                  from (
                    (select p.seq, $weight(p) as weight $next_rows)
                    union all
                    (select p.seq, $weight(p) as weight $next_stragglers)
                    order by seq
                    fetch first (select rows + 1 from asked) rows with ties
                  ) n
                  window o as (order by n.seq rows unbounded preceding)
                ) r
              ) w
              where w.rank <= 2 or w.running - w.weight <= l.bytes
            ) reach
            cross join lateral (
              select $arrays
              from (
                select m.*, coalesce(m.seq <= reach.fits, false) as whole, l.holds, $held as held
                from (
                  (select $row $next_rows)
                  union all
                  (select $row $next_stragglers)
                ) m
                where m.seq <= reach.known
              ) m
              having count(*) > 0
            ) found
            where l.block & $mask = $slot
            """);

    // One row more than the page has, so that it is known whether there are more. All of them have a share of the
    // bytes.
    private static final String FRESH_BY_SHARES = next("""
            union all
            select 2, l.lane, null, null, null, null, null, null, found.*
            from lanes l
            cross join lateral (
              select count(*) > l.rows, $arrays
              from (
                select m.*, l.holds, $held as held
                from (
                  (select $row, $weight(p) <= l.bytes / (l.rows + 1) as whole $next_rows)
                  union all
                  (select $row, $weight(p) <= l.bytes / (l.rows + 1) $next_stragglers)
                  order by seq
                  fetch first (select rows + 1 from asked) rows with ties
                ) m
              ) m
              having count(*) > 0
            ) found
            where l.block & $mask = $slot
            """);

    private static String next(String fresh) {
        return fresh.replace("$next_rows", NEXT_ROWS)
                .replace("$next_stragglers", NEXT_STRAGGLERS)
                .replace("$next", NEXT);
    }

    private static final String MORE_LATE = "with "
            + LATE_ROWS.replace("$after", "and m.seq > ? and pg_visible_in_snapshot(m.row_xid, ?::pg_snapshot)") + """
            select 0 as part, 0 as lane,
              case when exists (select from lanes) then pg_current_snapshot()::text else '' end as snapshot,
              null::text as unflushed, $sight,
              (select current_setting('waybill.loop', true) = token from asked) as same, false as holds_due, false as more, $nothing
            union all
            """
            + LATE_PART.replace("$late_held", LATE_HELD);

    private PageTemplate() {}

    /** What the read saw, and late rows. */
    static String first() {
        return PAGE;
    }

    /** New rows of one partition, to be added. */
    static String fresh(Fit fit) {
        return fit == Fit.SHARE ? FRESH_BY_SHARES : FRESH_BY_SUMS;
    }

    /** Late rows behind those of a page, alone. */
    static String moreLate() {
        return MORE_LATE;
    }
}
