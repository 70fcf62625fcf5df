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
