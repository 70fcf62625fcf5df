-- How much waits, as before, but late messages of a destination are seen however many rows of others their transaction has
-- written before them: 50,000 of all destinations together were looked at. Now the rows are not cut, and looked at once for
-- all lanes, by ranges of transaction ids that do not overlap. The present snapshot is asked for once, because each call copies
-- it, and a lane's snapshot is unpacked once. What is known of a row's lane is looked up in arrays, so that rows need not be
-- sorted for a join.
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
), lanes as materialized (
    select n.destination, b.bucket::smallint as bucket, c.position, c.snapshot::text::pg_snapshot as snapshot, c.next_xid,
        c.recorded_at
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
), ended as (
    select distinct x.xid
    from lanes l cross join lateral pg_snapshot_xip(l.snapshot) as x(xid)
    where pg_visible_in_snapshot(x.xid, (select pg_current_snapshot()))
), transactions as materialized (
    select lower(t.ids)::text::xid8 as first, upper(t.ids)::text::xid8 as behind
    from (
        select unnest(range_agg(int8range(r.first::text::bigint, r.behind::text::bigint))) as ids
        from (
            select pg_snapshot_xmax(l.snapshot) as first, l.next_xid as behind from lanes l
            where pg_snapshot_xmax(l.snapshot) < l.next_xid
            union all
            select e.xid, (e.xid::text::bigint + 1)::text::xid8 from ended e) r) t
), passed as (
    select destination, array_agg(position order by bucket) as positions, array_agg(snapshot order by bucket) as snapshots,
        array_agg(next_xid order by bucket) as next_xids
    from lanes
    group by destination
), late as (
    select p.destination, m.place - 1 as bucket, count(*) as pending, min(m.created_at) as oldest
    from transactions t
    cross join lateral (
        select r.xid, r.destination, outbox_bucket(r.session_id, r.message_id) + 1 as place, r.seq, r.created_at
        from outbox_message r
        where r.xid >= t.first and r.xid < t.behind
        offset 0) m
    join passed p on p.destination = m.destination
    where m.seq <= p.positions[m.place]
        and (m.xid < p.next_xids[m.place] or m.xid < pg_snapshot_xmax(p.snapshots[m.place]))
        and not pg_visible_in_snapshot(m.xid, p.snapshots[m.place])
    group by p.destination, m.place
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
