package dev.waybill.relay;

import dev.waybill.relay.ReadSql.Fit;

/**
 * The statement that reads a page, as {@link ReadTemplate} fills it: what the read saw, a part for the late rows of all lanes, and
 * one for the new rows of the lanes that stand before each partition.
 */
final class PageTemplate {
    private static final String PAGE = "with " + LateTemplate.rows() + """
            select 0 as part, 0 as lane,
              case when exists (select from lanes) then pg_current_snapshot()::text else '' end as snapshot,
              case when pg_current_wal_flush_lsn() < written then written::text end as unflushed,
              $sight,
              (select current_setting('waybill.loop', true) = token from asked) as same,
              exists (
                select from lanes l join $schema.outbox_hold h
                  on h.destination = l.destination and h.bucket = l.bucket
                where l.holds and $due) as holds_due,
              false as more, $nothing
            from pg_current_wal_insert_lsn() as written
            union all
            """ + LateTemplate.part();

    // With ties, because the next read begins behind the last value: a page with room for one value only has to bring
    // all its rows.
    //
    // The partition by name: through its parent, a lane would ask all of them for a row, at the price of the
    // page itself, and a condition on the partition key misleads the planner about how many rows there are.
    private static final String NEXT_ROWS = "from $schema.outbox_message_$slot p where $next";

    private static final String NEXT_STRAGGLERS = "from $schema.outbox_straggler p"
            + " where (select exists (select from $schema.outbox_straggler)) and $next";

    // Up to the block's last value, because the block behind the last one there is has no first.
    private static final String NEXT = """
            p.destination = l.destination and $bucket(p.session_id, p.message_id) = l.bucket
              and p.seq > l.position and p.seq <= (l.block << $shift | $last_of_block)
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

    // One row more than the page has, so that it is known whether there are more. All of them have a share of
    // the bytes.
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

    private static final String MORE_LATE = "with " + LateTemplate.rowsBehindCut() + """
            select 0 as part, 0 as lane,
              case when exists (select from lanes) then pg_current_snapshot()::text else '' end as snapshot,
              null::text as unflushed, $sight,
              (select current_setting('waybill.loop', true) = token from asked) as same, false as holds_due, false as more, $nothing
            union all
            """ + LateTemplate.part();

    private PageTemplate() {}

    /** The sight of the read, and late rows. */
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
