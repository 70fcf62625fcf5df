-- How much waits, as before, but without a look at the rows of transactions that have not ended, of which nothing is visible,
-- and with one look at those of the others: one transaction with hundreds of thousands of rows had the view, and with it the
-- alarms, read them for each snapshot that any lane was recorded with.
create or replace view outbox_backlog as
with recursive known as (
    (select destination from outbox_message order by destination limit 1)
    union all
    select (select m.destination from outbox_message m where m.destination > known.destination
            order by m.destination limit 1)
    from known where known.destination is not null
), names as (
    select destination from known where destination is not null
    union
    select destination from outbox_straggler
), lanes as (
    select n.destination, b.bucket::smallint as bucket, c.position, c.snapshot, c.next_xid, c.recorded_at
    from names n
    cross join generate_series(0, 31) as b(bucket)
    left join outbox_cursor c on c.destination = n.destination and c.bucket = b.bucket
), waiting as (
    select l.destination, l.bucket, l.recorded_at, w.pending, w.oldest
    from lanes l
    cross join lateral (
        select count(*) as pending, min(r.created_at) as oldest
        from (
            (select m.created_at from outbox_message m
             where m.destination = l.destination and outbox_bucket(m.session_id, m.message_id) = l.bucket
                 and m.seq > coalesce(l.position, 0)
             limit 50000)
            union all
            (select m.created_at from outbox_straggler m
             where m.destination = l.destination and outbox_bucket(m.session_id, m.message_id) = l.bucket
                 and not outbox_is_published(m.xid, m.seq, l.position, l.snapshot, l.next_xid)
             limit 50000)) r) w
), seen as (
    select distinct snapshot::text as snapshot, next_xid from lanes where snapshot is not null
), ended as (
    select distinct x.xid
    from seen s cross join lateral pg_snapshot_xip(s.snapshot::pg_snapshot) as x(xid)
    where pg_visible_in_snapshot(x.xid, pg_current_snapshot())
), late_rows as (
    select l.destination, l.bucket, m.created_at
    from ended e
    cross join lateral (
        select r.xid, r.destination, outbox_bucket(r.session_id, r.message_id) as bucket, r.seq, r.created_at
        from outbox_message r
        where r.xid = e.xid
        limit 50000) m
    join lanes l on l.destination = m.destination and l.bucket = m.bucket
        and m.xid < pg_snapshot_xmax(l.snapshot) and not pg_visible_in_snapshot(m.xid, l.snapshot)
    where m.seq <= l.position
    union all
    select l.destination, l.bucket, m.created_at
    from seen s
    cross join lateral (
        select r.destination, outbox_bucket(r.session_id, r.message_id) as bucket, r.seq, r.created_at
        from outbox_message r
        where r.xid >= pg_snapshot_xmax(s.snapshot::pg_snapshot) and r.xid < s.next_xid
        limit 50000) m
    join lanes l on l.destination = m.destination and l.bucket = m.bucket
        and l.snapshot::text = s.snapshot and l.next_xid = s.next_xid
    where m.seq <= l.position
), late as (
    select destination, bucket, count(*) as pending, min(created_at) as oldest
    from late_rows
    group by destination, bucket
), oldest as (
    select w.destination, w.bucket, w.recorded_at, w.pending + coalesce(t.pending, 0) as pending,
        least(w.oldest, t.oldest) as oldest
    from waiting w left join late t using (destination, bucket)
)
select destination, sum(pending)::bigint as pending, min(oldest) as oldest_created_at,
    coalesce(extract(epoch from clock_timestamp() - min(oldest)), 0)::double precision as oldest_age_seconds,
    max(recorded_at) as recorded_at
from oldest
group by destination;

-- The holds of a destination or a consumer that are due first, without sorting all that are due.
create index hold_due_first on hold (side, scope, due_at, id) where state = 'retrying';
