-- Destinations that have moved to another entity, and those that are on their way: `topology migrate`.

create table outbox_entity (
    destination text primary key,
    -- The one in force, whatever the configuration of a relay says; null until a first move has ended.
    entity text,
    partitioned boolean not null default false,
    -- The ones before it, the last one at the end: dead letters may still come from them.
    former text[] not null default '{}',
    switched_at timestamptz,
    -- The move that is under way; null if none is.
    moves_from text,
    moves_to text,
    -- Whoever makes it, and until when no relay may have lanes: a move that nobody prolongs lets the old entity go on.
    token uuid,
    held_since timestamptz,
    held_until timestamptz,
    -- Of the move under way, or of the last one.
    operator text not null,
    reason text not null,
    begun_at timestamptz not null default clock_timestamp()
);

comment on column outbox_entity.entity is 'the entity in force; null until a first move has ended';

-- Which relays send to the entity in force. One of a version before knows of none, and never takes a lane of a destination that
-- has moved.
alter table relay_instance add column follows_entities boolean not null default false;

-- As the owner: the grants of a role may be older than the tables.
do $do$ begin
    execute format($create$
        create function outbox_entity_of(asked text)
            returns table (entity text, partitioned boolean, held_for bigint) language sql security definer
            set search_path to pg_catalog, pg_temp as $$
            select e.entity, e.partitioned, greatest(0, least(3600000, coalesce(ceil(
                extract(epoch from e.held_until - clock_timestamp()) * 1000), 0)))::bigint
            from %1$I.outbox_entity e where e.destination = asked
        $$
        $create$, current_schema());
    -- The destinations of which nothing is sent at this moment, because they move.
    execute format($create$
        create function outbox_moves()
            returns table (destination text, moves_to text, operator text) language sql security definer
            set search_path to pg_catalog, pg_temp as $$
            select e.destination, e.moves_to, e.operator from %1$I.outbox_entity e where e.held_until > clock_timestamp()
        $$
        $create$, current_schema());
    -- What rows of the outbox call the entities of destinations that have moved, by their paths in lower case.
    execute format($create$
        create function outbox_entity_paths()
            returns table (path text, destination text) language sql security definer
            set search_path to pg_catalog, pg_temp as $$
            select distinct on (p.path) p.path, p.destination
            from (
                select lower(e.entity) as path, e.destination, 0 as rank from %1$I.outbox_entity e where e.entity is not null
                union all
                select lower(f), e.destination, 1 from %1$I.outbox_entity e cross join unnest(e.former) f
            ) p
            order by p.path, p.rank, p.destination
        $$
        $create$, current_schema());
    execute format($create$
        create function outbox_lane_claimed() returns trigger language plpgsql security definer
            set search_path to pg_catalog, pg_temp as $$
        begin
            if exists (
                select from %1$I.outbox_entity e
                where e.destination = new.destination
                    and (e.held_until > clock_timestamp()
                        or e.entity is not null and not exists (
                            select from %1$I.relay_instance i where i.id = new.owner and i.follows_entities)))
            then
                return null;
            end if;
            return new;
        end $$
        $create$, current_schema());
end $do$;

create trigger outbox_lane_claimed before update of owner on outbox_lane for each row
    when (new.owner is not null and new.owner is distinct from old.owner)
    execute function outbox_lane_claimed();

-- The same alarms; what moves is paused, and nobody is missed there.
create or replace view relay_alarm as
with alive as materialized (
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
