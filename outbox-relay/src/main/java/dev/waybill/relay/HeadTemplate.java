package dev.waybill.relay;

/** The statement that looks at the head of lanes in one partition, as {@link ReadTemplate} fills it. */
final class HeadTemplate {
    // Few plan nodes, because the server sets all of them up for every few messages. So each row is judged by
    // its own size, not by a running sum. "|| ''" keeps the planner from the index of lanes, the upper bound
    // from reading the whole table. How far the log is flushed is asked with each row, the last time: most of
    // what was written when the rows were looked for is flushed by then, and nearly all of it after a millisecond. A
    // lane without a snapshot, which no caller asks for, would be sent again rather than passed.
    private static final String HEAD = """
            select 2 as part, m.bucket::int as lane, s.snapshot,
              case when m.whole is not null and pg_current_wal_flush_lsn() < s.written $patience
                then s.written::text end as unflushed,
              s.drawn, s.changes, s.same, s.holds_due,
              case when m.session_id is not null then exists (
                select from $schema.outbox_hold h where h.destination = m.destination
                  and h.key = length(m.session_id)::text || ':' || m.session_id) else false end as held,
              coalesce(m.whole, false), $columns
            from (
              select a.*,
                case when exists (select from $schema.outbox_pause p where p.destination = a.destination)
                  then '' else pg_current_snapshot()::text end as snapshot,
                pg_current_wal_insert_lsn() as written,
                $sight,
                current_setting('waybill.loop', true) = a.token as same,
                exists (
                  select from $schema.outbox_hold h
                  where h.destination = a.destination and get_byte(a.seen, h.bucket) > 0
                    and $due) as holds_due
              from (select ?::text as destination, ?::text as token, decode(?, 'hex') as seen, ?::pg_snapshot[] as snapshots) a
            ) s
            left join lateral (
              select r.*, $weight(r) <= ? as whole
              from (select *, $bucket(session_id, message_id) as bucket from $schema.outbox_message_$slot) r
              where $unseen and r.destination || '' = s.destination and get_byte(s.seen, r.bucket) > 0
                and pg_visible_in_snapshot(r.xid, s.snapshots[get_byte(s.seen, r.bucket)]) is not true
              limit ?
            ) m on s.snapshot <> ''
            """;

    // At most twice for all rows of an answer: then the statement is too old. The server rounds up to one millisecond.
    private static final String PATIENCE = """
            and (clock_timestamp() > statement_timestamp() + interval '2 milliseconds'
                or pg_sleep(0.0005)::text is null or pg_current_wal_flush_lsn() < s.written)""";

    // Nothing is visible of a transaction that has not ended, and it may have written very many rows. The present
    // snapshot is asked for once, because each call copies it.
    private static final String ENDED =
            "select x from unnest(?::xid8[]) x where pg_visible_in_snapshot(x, (select pg_current_snapshot()))";

    private static final String NO_LATER = " and r.xid < '9223372036854775807'::xid8";

    private static final String FROM_FIRST =
            "r.xid >= (select least(b, (" + ENDED + " order by x limit 1)) from (select ?::xid8) as b(b))" + NO_LATER;

    private static final String ENDED_OR_FROM_BOUND =
            "(r.xid = any(array(" + ENDED + ")) or r.xid >= ?::xid8" + NO_LATER + ")";

    private HeadTemplate() {}

    static String of(boolean listed, boolean patient) {
        return HEAD.replace("$unseen", listed ? ENDED_OR_FROM_BOUND : FROM_FIRST)
                .replace("$patience", patient ? PATIENCE : "");
    }
}
