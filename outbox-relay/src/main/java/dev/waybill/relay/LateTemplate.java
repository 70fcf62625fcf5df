package dev.waybill.relay;

/**
 * The parts of a page's statement that find late rows: those that a lane has passed and that its snapshot does not see.
 * {@link ReadTemplate} fills them.
 */
final class LateTemplate {
    private static final String ASKED = """
            asked as materialized (
              select ?::text as destination, ?::text as token, ?::int as rows, ?::bigint as bytes, ?::boolean as one,
                ?::pg_snapshot[] as snapshots, ?::xid8[] as next_xids, ?::smallint[] as buckets, ?::bigint[] as positions,
                ?::int[] as groups, decode(?, 'hex') as places$behind
            ),
            lanes as materialized (
              select a.destination, a.rows, a.bytes, a.one, l.bucket, l.position, l.lane::int - 1 as lane,
                (l.position + 1) >> $shift as block,
                exists (
                  select from $schema.outbox_hold h
                  where h.destination = a.destination and h.bucket = l.bucket) as holds
              from asked a
              cross join unnest(a.buckets, a.positions) with ordinality as l(bucket, position, lane)
              where not exists (select from $schema.outbox_pause p where p.destination = a.destination)
            ),
            """;

    private static final String BEHIND_CUT = ", ?::bigint as cut, ?::pg_snapshot as cut_snapshot";

    // As ranges of ids that do not overlap: those from a lane's snapshot to its bound, and of those that the
    // snapshots list, what has ended. So a row is looked at once, however many snapshots the lanes have, and a lane
    // that stands still makes no other read more. The ranges leave out what has not ended, and all from where the
    // present snapshot ends: nothing of that is visible, and one transaction may have written very many rows. The
    // present snapshot is asked for once, because each call copies it. Behind a cut it is that of the page, which may
    // be hours
    // old where the broker was away: all that has come since would be looked at with each page.
    private static final String TRANSACTIONS = """
            seen as materialized (
              select g.snapshot, g.next_xid from asked a cross join unnest(a.snapshots, a.next_xids) as g(snapshot, next_xid)
              where exists (select from lanes)
            ),
            transactions as materialized (
              select lower(t.ids)::text::xid8 as first, upper(t.ids)::text::xid8 as behind
              from (
                select unnest(range_agg(int8range(r.first::text::bigint, r.behind::text::bigint)) - (
                  select range_agg(case when n.xid is null then int8range(pg_snapshot_xmax(s.now)::text::bigint, null)
                    else int8range(n.xid::text::bigint, n.xid::text::bigint, '[]') end)
                  from (select $now as now offset 0) s
                  cross join lateral (select pg_snapshot_xip(s.now) as xid union all select null) n)) as ids
                from (
                  select pg_snapshot_xmax(g.snapshot) as first, g.next_xid as behind from seen g
                  where pg_snapshot_xmax(g.snapshot) < g.next_xid
                  union all
                  select x.xid, (x.xid::text::bigint + 1)::text::xid8
                  from seen g cross join lateral pg_snapshot_xip(g.snapshot) as x(xid)
                  where pg_visible_in_snapshot(x.xid, (select $now))
                ) r
              ) t
            ),
            """;

    // "Offset 0" and the empty string make the planner enter by the index on xid: entered by lane, it would read all
    // history below the position. The facts about a row's lane are looked up in arrays: a join would go through all
    // lanes for each row, because the planner takes the rows to be few. How far a row must be is asked for within: each
    // page of a large transaction looks at all of its rows, and most are left out by that.
    private static final String LATE = """
            cross join lateral (
              select $of, get_byte(a.places, p.bucket) as place from $schema.outbox_row p
              where p.xid >= $first and p.xid < $last and p.destination || '' = a.destination$within
              offset 0
            ) m
            where m.seq <= a.positions[m.place]
              and (m.xid < a.next_xids[a.groups[m.place]] or m.xid < pg_snapshot_xmax(a.snapshots[a.groups[m.place]]))
              and not pg_visible_in_snapshot(m.xid, a.snapshots[a.groups[m.place]])""";

    private static final String BEHIND_CUT_ONLY = " and p.seq > a.cut";

    private static final String NOW = "pg_current_snapshot()";

    private static final String NOW_AS_OF_CUT = "(select cut_snapshot from asked)";

    private static final String SEEN_BY_CUT = " and pg_visible_in_snapshot(m.xid, a.cut_snapshot)";

    // By their sizes alone, because rows that are sorted or pass a window with their bodies are copied there, also
    // those that do not fit.
    //
    // Also between which transaction ids the rows are that the page brings: those that fit, and all with the first
    // value that does not. Where the highest known value is that one, the limit may have cut others with it, of any
    // transaction, so that nothing is known of the ids. Two rows more than fit are asked for, so that this takes a
    // value that was drawn twice.
    private static final String REACH = """
            late_reach as materialized (
              select r.fits, r.beyond,
                case when r.known = r.beyond then '0' else r.first::text end::xid8 as first,
                case when r.known = r.beyond then '9223372036854775807' else (r.last + 1)::text end::xid8 as last
              from (
                select max(s.seq) as known, max(s.seq) filter (where s.fits) as fits,
                  min(s.seq) filter (where not s.fits) as beyond,
                  min(s.xid::text::bigint) as first, max(s.xid::text::bigint) as last
                from (
                  select m.seq, m.xid, m.rank = 1 or m.running <= a.bytes and m.rank <= a.most as fits
                  from (
                    select m.seq, m.xid, row_number() over o as rank, sum(m.weight) over o as running
                    from (
                      select m.seq, m.xid, m.weight from asked a cross join transactions t
                      $late
                      order by m.seq
                      limit (select rows * (select count(*) from lanes) + 2 from asked)
                    ) m
                    window o as (order by m.seq rows unbounded preceding)
                  ) m
                  cross join (select bytes, rows * (select count(*) from lanes) as most from asked) a
                ) s
                having count(*) > 0
              ) r
            ),
            """;

    // All rows with the first value that does not fit come along, however many, so that it is known to be there: the
    // next read begins behind a value. A row's lane is looked up: of a join the planner might have all rows read for
    // each lane.
    private static final String ROWS = """
            late_rows as (
              select r.beyond, m.place - 1 as lane, m.seq <= r.fits as whole,
                (select l.holds from lanes l where l.lane = m.place - 1) as holds, m.*
              from late_reach r cross join asked a
              join transactions t on t.first < r.last and t.behind > r.first
              $late
            )
            """;

    // It is told apart from the rows themselves whether there are more, because a value that was drawn twice, as
    // after a sequence was set back, comes with both its rows.
    private static final String PART = """
            select 1, m.lane, null, null, null, null, null, null, coalesce(bool_or(m.seq = m.beyond), false), $arrays
            from (
              select m.*,
                case when m.holds and m.session_id is not null then exists (
                  select from $schema.outbox_hold h where h.destination = (select destination from asked)
                    and h.key = length(m.session_id)::text || ':' || m.session_id) else false end as held
              from late_rows m
            ) m
            group by m.lane
            """;

    private LateTemplate() {}

    /** The lanes that are asked for, and the late rows of all of them. */
    static String rows() {
        return rows("", "", "", NOW);
    }

    /** The same, but only late rows behind those of a page that was cut. */
    static String rowsBehindCut() {
        return rows(BEHIND_CUT, BEHIND_CUT_ONLY, SEEN_BY_CUT, NOW_AS_OF_CUT);
    }

    /** The rows, as a lane's part of the answer. */
    static String part() {
        return PART;
    }

    private static String rows(String behind, String within, String seen, String now) {
        String reach = late(REACH, "p.seq, p.xid, $weight(p) as weight", "t.first", "t.behind", within, seen);
        String fits = within + " and p.seq <= coalesce(r.beyond, r.fits)";
        String rows = late(ROWS, "p.xid, $row", "greatest(t.first, r.first)", "least(t.behind, r.last)", fits, seen);
        return ASKED.replace("$behind", behind) + TRANSACTIONS.replace("$now", now) + reach + rows;
    }

    private static String late(String template, String columns, String first, String last, String within, String seen) {
        String late = LATE.replace("$of", columns)
                .replace("$first", first)
                .replace("$last", last)
                .replace("$within", within);
        return template.replace("$late", late + seen);
    }
}
