-- The same alarms, and one for messages whose time came more than a minute ago: nobody moves them into the outbox, because no
-- relay knows their destination, or because none is able to.
create or replace view relay_alarm as
with recursive known as (
    (select destination from outbox_scheduled order by destination limit 1)
    union all
    select (select s.destination from outbox_scheduled s where s.destination > known.destination
            order by s.destination limit 1)
    from known where known.destination is not null
), scheduled as (
    select destination from known where destination is not null
), alive as materialized (
    select * from relay_liveness where alive
), loops as materialized (
    select a.name as relay, l.destination, l.state, l.since, l.detail, l.destination = any(a.serving) as moves
    from alive a
    cross join lateral unnest(a.destinations, a.states, a.since, a.details) as l(destination, state, since, detail)
), moves as materialized (
    select * from outbox_entity where held_until > clock_timestamp()
), stands as (
    select destination from outbox_pause union all select destination from moves
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
    and not exists (select from moves m where m.destination = l.destination)
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
select 'stalled', 'critical', n.destination,
    'messages that were to wait for their time are overdue, the oldest for '
        -- Before PostgreSQL 17 nothing can be subtracted from the end of time, and all alarms would fail with this one.
        || round(extract(epoch from clock_timestamp() - greatest(o.due_at, '2000-01-01 00:00:00+00'))) || ' s'
        || case when exists (select from loops l where l.destination = n.destination) then ''
            else ', and no relay that is alive knows this destination' end
from scheduled n
cross join lateral (
    select s.due_at from outbox_scheduled s where s.destination = n.destination order by s.due_at, s.id limit 1) o
where o.due_at < clock_timestamp() - interval '60 seconds'
union all
select 'refused', 'critical', r.destination, r.reason || ': ' || r.description
from outbox_refusal r where r.seen_at > clock_timestamp() - interval '5 minutes'
union all
select 'parked', 'warning', h.scope, count(*) || case count(*) when 1 then ' hold of the ' else ' holds of the ' end || h.side
        || case count(*) when 1 then ' waits' else ' wait' end || ' for an operator, the oldest since '
    || min(h.held_at)::text
from hold h where h.state = 'parked' group by h.side, h.scope
union all
select 'paused', 'warning', p.destination, 'paused by ' || p.paused_by || ' since ' || p.paused_at::text || ': ' || p.reason
from outbox_pause p
union all
select 'paused', 'warning', m.destination,
    'moves to ' || m.moves_to || ', by ' || m.operator || ' since ' || m.held_since::text || ': ' || m.reason
from moves m;
