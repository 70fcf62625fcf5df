package dev.waybill.relay.schedule;

/** The statements that find and move what is due. */
final class ScheduledStatements {
    private ScheduledStatements() {}

    // Well below PostgreSQL's deadlock_timeout of a second, so that it is the mover that gives way. The lock that an
    // insert takes on the table comes first: whoever keeps all writers from it may wait for a row that the mover would
    // have locked.
    static final String BEGIN = """
            set transaction isolation level read committed;
            set local lock_timeout = '250ms';
            set local idle_in_transaction_session_timeout = '10s';
            set local enable_seqscan = off;
            set local enable_bitmapscan = off;
            set local enable_sort = off;
            set local enable_hashjoin = off;
            set local enable_mergejoin = off;
            set local jit = off;
            """;

    // PostgreSQL before 17 cannot subtract infinity.
    static final String WAITS = """
            select d.destination, greatest(0, ceil(1000 * extract(epoch from least(
                greatest(s.due_at, '2000-01-01 00:00:00+00'), statement_timestamp() + interval '1 hour')
              - statement_timestamp())))::bigint as millis
            from unnest({0}::text[]) as d(destination)
            cross join lateral (
              select s.due_at from %1$s.outbox_scheduled s
              where s.destination = d.destination order by s.due_at limit 1) s
            """;

    // {1} sessions and {2} messages without session that are left out, {3} the only session, or null. Finds due rows
    // in order, then locks what nobody else has locked; a row that was changed meanwhile has another place, and counts
    // as locked. Not clock_timestamp(), which is volatile: all that waits would be read. The planner cannot know how
    // many rows wait, so each part leaves it one way in: the order is that of one index, and what was found is read by
    // its place, with a condition that fits no index.
    static final String CHOOSE = """
            with found as materialized (
              select s.ctid as tid, s.message_id, s.session_id, s.due_at, s.id, octet_length(s.payload) as bytes
              from %1$s.outbox_scheduled s
              where s.destination = {0} and s.due_at <= statement_timestamp()
                and ({3}::text is null or s.session_id = {3})
                and case when s.session_id is null then s.message_id not in (select unnest({2}::text[]))
                  else s.session_id not in (select unnest({1}::text[])) end
              order by s.due_at, s.id limit {4}
            ), ours as materialized (
              select s.ctid as tid from %1$s.outbox_scheduled s
              where s.ctid = any (array(select f.tid from found f)) and s.due_at + interval '0' <= statement_timestamp()
              for update of s skip locked
            )
            select f.tid::text as tid, f.message_id, f.session_id, f.bytes, f.tid in (select o.tid from ours o) as locked
            from found f order by f.due_at, f.id
            """;

    static final String COLUMNS = "destination, session_id, message_id, broker_message_id, partition_key, subject,"
            + " content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live,"
            + " scheduled_enqueue_time, headers, payload";

    // The rows are locked, so they are still where they were found.
    static final String MOVE = """
            with due as (
              delete from %1$s.outbox_scheduled s where s.ctid = any ({0}::tid[]) returning s.*)
            insert into %1$s.outbox_message (%2$s)
            select %2$s from due order by due_at, id
            """;
}
