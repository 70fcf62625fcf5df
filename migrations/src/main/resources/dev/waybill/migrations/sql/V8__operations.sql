-- What operators and alarms look at. Views only: nothing here is written, and code of the version before does not miss it.

-- How much waits, by destination. Found through the index, a lane at a time: published rows are not looked at. A lane is
-- counted up to 50,000 rows, and late arrivals, which are few and gone soon, are not counted.
create view outbox_backlog as
with recursive known as (
    (select destination from outbox_message order by destination limit 1)
    union all
    select (select m.destination from outbox_message m where m.destination > known.destination
            order by m.destination limit 1)
    from known where known.destination is not null
)
select k.destination, coalesce(sum(w.pending), 0)::bigint as pending, min(w.oldest) as oldest_created_at,
    coalesce(extract(epoch from clock_timestamp() - min(w.oldest)), 0)::double precision as oldest_age_seconds,
    max(c.recorded_at) as recorded_at
from known k
cross join outbox_lease l
left join outbox_cursor c on c.destination = k.destination and c.bucket = l.bucket
cross join lateral (
    select count(*) as pending, min(r.created_at) as oldest
    from (
        select m.created_at from outbox_message m
        where m.destination = k.destination and m.bucket = l.bucket and m.seq > coalesce(c.position, 0)
        limit 50000) r) w
where k.destination is not null
group by k.destination;

-- Alarms that need no relay to be raised: empty when all is well. Take-over makes the first two show for as long as a lease
-- lasts, so whoever rings a bell waits a minute.
create view relay_alarm as
select 'no-relay' as alarm, 'critical' as severity, null::text as destination,
    'no relay is alive; the last was seen '
        || coalesce((select max(alive_until)::text from relay_instance), 'never') as detail
where not exists (select from relay_instance where alive_until > clock_timestamp())
union all
select 'unowned', 'critical', null, count(*) || ' of 32 buckets have no owner'
from outbox_lease
where owner is null or lease_until < clock_timestamp()
having count(*) > 0 and exists (select from relay_instance where alive_until > clock_timestamp())
union all
select 'stalled', 'critical', b.destination,
    b.pending || ' messages wait, the oldest for ' || round(b.oldest_age_seconds) || ' s, and no relay has recorded progress '
        || coalesce('since ' || b.recorded_at::text, 'ever: no relay may know this destination')
from outbox_backlog b
where b.pending > 0 and b.oldest_age_seconds > 60
    and coalesce(b.recorded_at, '-infinity') < clock_timestamp() - interval '60 seconds'
    and not exists (select from outbox_pause p where p.destination = b.destination)
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
