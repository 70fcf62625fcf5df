-- The relay's second edition: leases by lane, liveness by relay, a stop that lasts when the counters went back, and rows
-- that wait on when the ring comes round to them.

-- One row per (destination, bucket): relays with different destinations do not take anything from each other. Written when a
-- lane changes its owner, and only then. The epoch is the fencing token: it grows with every change of owner.
create table outbox_lane (
    destination text not null,
    bucket smallint not null check (bucket between 0 and 31),
    owner uuid,
    epoch bigint not null,
    -- Not claimed before: what the last owner has sent may still be under way until then.
    available_at timestamptz not null default '-infinity',
    primary key (destination, bucket)
) with (fillfactor = 50);

-- Drawn after each change of owners and of those who serve, so that relays see by one look that they should look.
create sequence outbox_lane_seq as bigint cache 1;

-- Lanes that have a cursor, or rows. Old relays lose their lease table and stand still; they may go on sending for a lease
-- and a send, and for that long nobody else begins. 30 seconds is the longest send that they allow unless told otherwise.
-- Renamed before it is read: an old relay could take or renew a lease in between.
alter table outbox_lease rename to outbox_lease_withdrawn;

insert into outbox_lane (destination, bucket, epoch, available_at)
select d.destination, l.bucket, l.epoch + 1,
    case when l.owner is null then '-infinity' else l.lease_until + interval '30 seconds' end
from (select destination from outbox_progress union select destination from outbox_destination) d
cross join outbox_lease_withdrawn l;

comment on table outbox_lease_withdrawn is 'of relays before version 9; says from which epoch new lanes go on';

-- The newest cursor of a lane is found by one look, however many rows a dump keeps the ring from dropping.
create index outbox_progress_newest on outbox_progress (destination, bucket, epoch, position, id);

create or replace view outbox_cursor as
select p.id, l.destination, l.bucket, p.epoch, p.position, p.snapshot, p.next_xid, p.recorded_at
from outbox_lane l
cross join lateral (
    select * from outbox_progress r
    where r.destination = l.destination and r.bucket = l.bucket
    order by r.epoch desc, r.position desc, r.id desc
    limit 1) p;

-- What a relay says of itself, every few seconds: rows are added and dropped by the partition, because an updated row under
-- an old snapshot grows a chain of dead versions. The newest of a relay counts.
create sequence relay_beat_seq as bigint cache 1;

create table relay_beat (
    id bigint not null default nextval('relay_beat_seq'),
    relay uuid not null,
    at timestamptz not null default clock_timestamp(),
    alive_until timestamptz not null,
    -- Of which its loops move: leases of others are not valid.
    serving text[] not null,
    -- Each loop: what it does, since when, and why.
    destinations text[] not null,
    states text[] not null,
    since timestamptz[] not null,
    details text[] not null
) partition by list (((id >> 10) & 3));

create table relay_beat_0 partition of relay_beat for values in (0);
create table relay_beat_1 partition of relay_beat for values in (1);
create table relay_beat_2 partition of relay_beat for values in (2);
create table relay_beat_3 partition of relay_beat for values in (3);

create index relay_beat_newest on relay_beat (relay, id);

drop view relay_alarm;
drop view outbox_backlog;
drop view outbox_message_status;

-- Still derived by the database, so that no two writers can disagree about it, but in the index alone: a generated column
-- makes an insert a fifth dearer.
alter table outbox_message drop column bucket;

create function outbox_bucket(session_id text, message_id text) returns smallint
language sql immutable parallel safe as $$
    select (pg_catalog.hashtextextended(coalesce(session_id, message_id) collate pg_catalog."C", 0)
        operator(pg_catalog.&) 31)::pg_catalog.int2
$$;

-- The function's expression rather than the function: roles that only append need not be able to execute it. The planner
-- takes the two for the same.
create index outbox_message_cursor on outbox_message (
    destination,
    ((hashtextextended(coalesce(session_id::text, message_id::text) collate "C", 0) & 31)::smallint),
    seq);

alter table relay_instance drop column alive_until;

create view relay_liveness as
select i.id, i.name, i.started_at, b.at, b.alive_until, b.alive_until > clock_timestamp() as alive,
    b.serving, b.destinations, b.states, b.since, b.details
from relay_instance i
cross join lateral (select * from relay_beat r where r.relay = i.id order by r.id desc limit 1) b;

-- The counters went back under the recorded cursors. While this row is there no relay reads, and only a rebase deletes it.
create table outbox_halt (
    id smallint primary key default 1 check (id = 1),
    evidence text not null,
    found_at timestamptz not null default clock_timestamp()
);

-- Rows that wait while the ring comes round to their partition. They keep transaction id and sequence value, so nothing
-- changes for who reads them.
create table outbox_straggler (like outbox_message);

create index outbox_straggler_cursor on outbox_straggler (
    destination,
    ((hashtextextended(coalesce(session_id::text, message_id::text) collate "C", 0) & 31)::smallint),
    seq);
create index outbox_straggler_xid on outbox_straggler (xid);

-- Under a publication for all tables, PostgreSQL refuses to update or delete rows that it cannot name.
alter table outbox_straggler replica identity full;
alter table outbox_message_0 replica identity full;
alter table outbox_message_1 replica identity full;
alter table outbox_message_2 replica identity full;
alter table outbox_message_3 replica identity full;
alter table outbox_message_4 replica identity full;
alter table outbox_message_5 replica identity full;
alter table outbox_message_6 replica identity full;
alter table outbox_message_7 replica identity full;
alter table outbox_progress_0 replica identity full;
alter table outbox_progress_1 replica identity full;
alter table outbox_progress_2 replica identity full;
alter table outbox_progress_3 replica identity full;
alter table relay_beat_0 replica identity full;
alter table relay_beat_1 replica identity full;
alter table relay_beat_2 replica identity full;
alter table relay_beat_3 replica identity full;

-- Whether a row has been sent, by the cursor of its lane. Where the cluster's transaction ids went back, those below the
-- present ones may have been given twice, and say nothing.
create function outbox_is_published(xid xid8, seq bigint, reached bigint, snapshot pg_snapshot, next_xid xid8)
returns boolean language sql stable parallel safe as $$
    select coalesce(
        seq <= reached and xid < next_xid and pg_visible_in_snapshot(xid, snapshot)
            and (pg_snapshot_xmax(pg_current_snapshot()) >= next_xid
                or xid >= pg_snapshot_xmax(pg_current_snapshot())),
        false)
$$;

create view outbox_row as
select *, outbox_bucket(session_id, message_id) as bucket from outbox_message
union all
select *, outbox_bucket(session_id, message_id) from outbox_straggler;

create view outbox_message_status as
select m.*,
    case
        when exists (
            select from held_message x join hold h on h.id = x.hold_id
            where x.origin_position = m.seq and x.origin_time = m.created_at
                and h.side = 'outbox' and h.scope = m.destination) then 'held'
        when outbox_is_published(m.xid, m.seq, c.position, c.snapshot, c.next_xid) then 'published'
        else 'pending'
    end as status
from outbox_row m
left join outbox_cursor c using (destination, bucket);

-- How much waits, by destination. Found through the index, a lane at a time: published rows are not looked at. A lane is
-- counted up to 50,000 rows. Late arrivals are looked for by their transactions, which the cursors list.
create view outbox_backlog as
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
), late as (
    select l.destination, l.bucket, count(*) as pending, min(m.created_at) as oldest
    from (select distinct snapshot::text as snapshot, next_xid from lanes where snapshot is not null) s
    cross join lateral (
        select r.destination, outbox_bucket(r.session_id, r.message_id) as bucket, r.seq, r.created_at
        from outbox_message r
        where r.xid = any(array(select pg_snapshot_xip(s.snapshot::pg_snapshot)))
            or r.xid >= pg_snapshot_xmax(s.snapshot::pg_snapshot) and r.xid < s.next_xid
        limit 50000) m
    join lanes l on l.destination = m.destination and l.bucket = m.bucket
        and l.snapshot::text = s.snapshot and l.next_xid = s.next_xid
    where m.seq <= l.position
    group by l.destination, l.bucket
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

-- Alarms that need no relay to be raised: empty when all is well.
create view relay_alarm as
with alive as materialized (
    select * from relay_liveness where alive
), loops as materialized (
    select a.name as relay, l.destination, l.state, l.since, l.detail, l.destination = any(a.serving) as moves
    from alive a
    cross join lateral unnest(a.destinations, a.states, a.since, a.details) as l(destination, state, since, detail)
), stands as (
    select destination from outbox_pause
)
select 'no-relay' as alarm, 'critical' as severity, null::text as destination,
    'no relay is alive; the last was seen ' || coalesce((select max(at)::text from relay_beat), 'never') as detail
where not exists (select from alive)
union all
select 'history', 'critical', null, evidence || '; no message is sent until the outbox is rebased, found at ' || found_at::text
from outbox_halt
union all
select 'hanging', 'critical', l.destination,
    'relay ' || l.relay || ' has taken no step for this destination since ' || l.since::text
from loops l where not l.moves and l.state not in ('starting', 'failing', 'history')
union all
select case l.state when 'failing' then 'database' else l.state end, 'critical', l.destination,
    'relay ' || l.relay || ', since ' || l.since::text || ': ' || l.detail
from loops l
where (l.moves and l.state in ('unavailable', 'throttled') or l.state = 'failing')
    and not exists (select from loops o where o.destination = l.destination and o.moves and o.state = 'flowing')
union all
select 'unowned', 'critical', l.destination, count(*) || ' of 32 buckets have no owner'
from outbox_lane l
where exists (select from loops o where o.destination = l.destination and o.moves)
    and l.available_at < clock_timestamp() - interval '5 seconds'
    and not exists (
        select from alive a where a.id = l.owner and l.destination = any(a.serving))
group by l.destination
union all
select 'stalled', 'critical', b.destination,
    b.pending || ' messages wait, the oldest for ' || round(b.oldest_age_seconds) || ' s'
        || case when exists (select from loops o where o.destination = b.destination) then ''
            else ', and no relay that is alive knows this destination' end
from outbox_backlog b
where b.pending > 0 and b.oldest_age_seconds > 60
    and not exists (select from stands s where s.destination = b.destination)
union all
select 'refused', 'critical', r.destination, r.reason || ': ' || r.description
from outbox_refusal r where r.seen_at > clock_timestamp() - interval '5 minutes'
union all
select 'parked', 'warning', h.scope, count(*) || ' holds of the ' || h.side || ' wait for an operator, the oldest since '
    || min(h.held_at)::text
from hold h where h.state = 'parked' group by h.side, h.scope
union all
select 'paused', 'warning', p.destination, 'paused by ' || p.paused_by || ' since ' || p.paused_at::text || ': ' || p.reason
from outbox_pause p;
