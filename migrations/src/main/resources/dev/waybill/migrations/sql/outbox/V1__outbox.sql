-- The outbox and the relay's tables.

-- CACHE 1: a session that draws values ahead would publish them behind later ones.
create sequence outbox_message_seq as bigint cache 1;

create table outbox_message (
    -- Column order is part of the proof: defaults are evaluated from left to right, and a row's transaction id must
    -- exist before its sequence value is drawn (see the relay's invariants).
    xid xid8 not null default pg_current_xact_id(),
    seq bigint not null default nextval('outbox_message_seq'),
    destination text not null,
    -- Lengths by type: a check constraint is prepared anew for each insert, and six cost a quarter of an append.
    session_id varchar(128),
    message_id varchar(128) not null,
    broker_message_id varchar(128),
    partition_key varchar(128),
    subject text,
    content_type text,
    correlation_id text,
    to_address text,
    reply_to text,
    reply_to_session_id text,
    time_to_live bigint,
    scheduled_enqueue_time timestamptz,
    headers jsonb,
    payload bytea not null,
    created_at timestamptz not null default clock_timestamp()
) partition by list (((seq >> 17) & 7));

comment on column outbox_message.time_to_live is 'milliseconds';
comment on column outbox_message.broker_message_id is 'MessageId on the broker when it is not message_id';

create table outbox_message_0 partition of outbox_message for values in (0);
create table outbox_message_1 partition of outbox_message for values in (1);
create table outbox_message_2 partition of outbox_message for values in (2);
create table outbox_message_3 partition of outbox_message for values in (3);
create table outbox_message_4 partition of outbox_message for values in (4);
create table outbox_message_5 partition of outbox_message for values in (5);
create table outbox_message_6 partition of outbox_message for values in (6);
create table outbox_message_7 partition of outbox_message for values in (7);

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

create index outbox_message_xid on outbox_message (xid);

-- Most transactions append one row or a few. Left to guess from a table that one of them has filled, the planner would
-- search all of it for late arrivals.
alter table outbox_message_0 alter column xid set (n_distinct = -1);
alter table outbox_message_1 alter column xid set (n_distinct = -1);
alter table outbox_message_2 alter column xid set (n_distinct = -1);
alter table outbox_message_3 alter column xid set (n_distinct = -1);
alter table outbox_message_4 alter column xid set (n_distinct = -1);
alter table outbox_message_5 alter column xid set (n_distinct = -1);
alter table outbox_message_6 alter column xid set (n_distinct = -1);
alter table outbox_message_7 alter column xid set (n_distinct = -1);

-- A busy outbox is analysed about once a minute, and PostgreSQL takes its sample by the most that any column asks for: 30,000
-- rows with their bodies by default, which it sorts. Nobody asks the planner about bodies, and a tenth of the rows tells
-- it enough of the others. The partitions inherit it.

alter table outbox_message
    alter column xid set statistics 10,
    alter column seq set statistics 10,
    alter column destination set statistics 10,
    alter column session_id set statistics 10,
    alter column message_id set statistics 10,
    alter column created_at set statistics 10,
    alter column broker_message_id set statistics 0,
    alter column partition_key set statistics 0,
    alter column subject set statistics 0,
    alter column content_type set statistics 0,
    alter column correlation_id set statistics 0,
    alter column to_address set statistics 0,
    alter column reply_to set statistics 0,
    alter column reply_to_session_id set statistics 0,
    alter column time_to_live set statistics 0,
    alter column scheduled_enqueue_time set statistics 0,
    alter column headers set statistics 0,
    alter column payload set statistics 0;

-- Indexes do not inherit it: the bucket in those that lanes are read by.
do $$
declare
    partition_index regclass;
begin
    for partition_index in
        select inhrelid from pg_inherits where inhparent = 'outbox_message_cursor'::regclass
    loop
        execute format('alter index %s alter column 2 set statistics 10', partition_index);
    end loop;
end $$;

-- For writers without the library. Takes the session's lock before the row's sequence value is drawn, which a plain insert
-- does not: without it, two transactions that append to one session side by side may commit in the other order.
create function outbox_append(
    destination text, session_id text, message_id text, payload bytea, subject text default null,
    content_type text default null, correlation_id text default null, headers jsonb default null)
returns void language plpgsql set search_path from current as $$
begin
    if destination = '' or session_id = '' or message_id = '' then
        raise exception 'destination, session_id and message_id must not be empty' using errcode = '22023';
    end if;
    if session_id is not null then
        perform pg_advisory_xact_lock(1463900482, hashtext(destination || chr(31) || session_id));
    end if;
    insert into outbox_message (
        destination, session_id, message_id, subject, content_type, correlation_id, headers, payload)
    values (destination, session_id, message_id, subject, content_type, correlation_id, headers, payload);
end $$;

-- In place of one lock for each of very many sessions, which would use up the lock table of the whole cluster: waits for all
-- transactions that have appended, and lets nobody else append until this one ends. Every insert meets this lock, also one
-- by plain SQL. Reading goes on.
--
-- Runs as the owner, because PostgreSQL allows this lock to nobody who may only insert. Hence the qualified names, and the
-- check that the caller may append.
do $do$ begin
    execute format($create$
        create function outbox_exclude_writers() returns void language plpgsql security definer
            set search_path to pg_catalog, pg_temp as $$
        begin
            if not has_table_privilege(
                case current_setting('role') when 'none' then session_user else current_setting('role') end,
                '%1$I.outbox_message', 'insert')
            then
                raise exception 'permission denied for table outbox_message' using errcode = '42501';
            end if;
            lock table only %1$I.outbox_message in share row exclusive mode;
        end $$
        $create$, current_schema());
end $do$;

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

-- How far each (destination, bucket) is published. Append-only and a ring too, because an updated row under an old
-- snapshot grows a chain of dead versions, and so would deleted ones. The newest (epoch, position, id) counts.
create sequence outbox_progress_seq as bigint cache 1;

create table outbox_progress (
    id bigint not null default nextval('outbox_progress_seq'),
    destination text not null,
    bucket smallint not null,
    epoch bigint not null,
    position bigint not null,
    snapshot pg_snapshot not null,
    next_xid xid8 not null,
    recorded_at timestamptz not null default clock_timestamp(),
    late_snapshot pg_snapshot,
    late_reached bigint
) partition by list (((id >> 13) & 3));

comment on column outbox_progress.late_reached is
    'of the messages that late_snapshot sees and snapshot does not, those with values up to here are published or held as well';

create table outbox_progress_0 partition of outbox_progress for values in (0);
create table outbox_progress_1 partition of outbox_progress for values in (1);
create table outbox_progress_2 partition of outbox_progress for values in (2);
create table outbox_progress_3 partition of outbox_progress for values in (3);

-- The newest cursor of a lane is found by one look, however many rows a dump keeps the ring from dropping.
create index outbox_progress_newest on outbox_progress (destination, bucket, epoch, position, id);

create view outbox_cursor as
select p.id, l.destination, l.bucket, p.epoch, p.position, p.snapshot, p.next_xid, p.recorded_at, p.late_snapshot,
    p.late_reached
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

create table relay_instance (
    id uuid primary key,
    name text not null,
    started_at timestamptz not null default clock_timestamp(),
    tells_figures boolean not null default false,
    follows_entities boolean not null default false
) with (fillfactor = 50);

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

-- Sessions that stand still because a message could not be published.
create table outbox_hold (
    id bigint generated always as identity primary key,
    destination text not null check (destination <> ''),
    session_id text,
    message_id text,
    -- A length in front of the session's name, so that no session can be taken for a message nor the reverse.
    key text not null generated always as
        (coalesce(length(session_id)::text || ':' || session_id, '-') || coalesce('/' || message_id, '')) stored,
    -- The same bucket as the messages' own, so that their owner is the hold's.
    bucket smallint not null generated always as
        ((hashtextextended(coalesce(session_id, message_id) collate "C", 0) & 31)::smallint) stored,
    state text not null check (state in ('retrying', 'parked')),
    due_at timestamptz not null default clock_timestamp(),
    reason text not null,
    description text not null default '',
    attempts integer not null default 0,
    times_parked integer not null default 0,
    attempt_token uuid,
    attempt_until timestamptz,
    attempted_at timestamptz,
    held_at timestamptz not null default clock_timestamp(),
    changed_at timestamptz not null default clock_timestamp(),
    unique (destination, key),
    check (session_id is not null or message_id is not null)
);

create index outbox_hold_lane on outbox_hold (destination, bucket);
create index outbox_hold_due on outbox_hold (destination, bucket, due_at) where state = 'retrying';
-- Due first, without sorting all that are due.
create index outbox_hold_due_first on outbox_hold (destination, due_at, id) where state = 'retrying';

create table outbox_held_message (
    hold_id bigint not null references outbox_hold on delete cascade,
    -- CACHE 1: the order of the places is that of the messages.
    place bigint generated always as identity (cache 1),
    origin_position bigint not null,
    origin_time timestamptz not null,
    deliveries bigint not null default 0,
    dead_letter bigint,
    session_id text,
    message_id text not null,
    broker_message_id text,
    partition_key text,
    subject text,
    content_type text,
    correlation_id text,
    to_address text,
    reply_to text,
    reply_to_session_id text,
    time_to_live bigint,
    scheduled_enqueue_time timestamptz,
    headers text,
    payload bytea not null,
    added_at timestamptz not null default clock_timestamp(),
    primary key (hold_id, place)
) with (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
    autovacuum_vacuum_insert_threshold = -1);

-- A dead letter is in a hold once. Other messages are told apart by their id too: two entities count alike, and may give the
-- same number in the same millisecond. A hash of the id, because a foreign id may be too long for an index.
create unique index outbox_held_message_dead_letter on outbox_held_message (hold_id, dead_letter) where dead_letter is not null;
create unique index outbox_held_message_origin_once on outbox_held_message (
    hold_id, origin_position, origin_time, hashtextextended(message_id collate "C", 0)) where dead_letter is null;
create index outbox_held_message_origin on outbox_held_message (origin_position);
create index outbox_held_message_id on outbox_held_message (hashtextextended(message_id collate "C", 0));

create trigger erasure_obeyed before insert on outbox_held_message
    for each row execute function erasure_obeyed_by_hold();

comment on table outbox_hold is 'sessions or messages of the outbox that wait for an operator or their next attempt; whoever changes one locks its row first';
comment on column outbox_hold.id is 'order in which holds began';
comment on column outbox_hold.destination is 'queue or topic';
comment on column outbox_hold.session_id is 'the session; null: a message without one';
comment on column outbox_hold.message_id is 'logical id of the one message that is held; null: the whole session is';
comment on column outbox_hold.key is 'session and message in one text';
comment on column outbox_hold.bucket is 'lane of the messages';
comment on column outbox_hold.state is 'retrying: the next attempt is due at due_at; parked: an operator has to decide';
comment on column outbox_hold.due_at is 'when the next attempt is due';
comment on column outbox_hold.reason is 'name of the cause';
comment on column outbox_hold.description is 'the cause';
comment on column outbox_hold.attempts is 'attempts at the first message that were begun and not refuted by an outage';
comment on column outbox_hold.times_parked is 'how often it was parked';
comment on column outbox_hold.attempt_token is 'set while an attempt runs, which has to name it to settle';
comment on column outbox_hold.attempt_until is 'until when skip and edit answer "busy", and no other attempt begins';
comment on column outbox_hold.attempted_at is 'when the last attempt began';
comment on column outbox_hold.held_at is 'when the hold began';
comment on column outbox_hold.changed_at is 'when it was changed last';

comment on table outbox_held_message is 'the messages of outbox_hold, in order';
comment on column outbox_held_message.hold_id is 'the hold';
comment on column outbox_held_message.place is 'order inside the hold';
comment on column outbox_held_message.origin_position is 'sequence value of the outbox row';
comment on column outbox_held_message.origin_time is 'creation of the outbox row';
comment on column outbox_held_message.deliveries is 'delivery count on the broker';
comment on column outbox_held_message.dead_letter is 'the dead letter that it is, if a re-drive brought it';
comment on column outbox_held_message.session_id is 'SessionId on the broker';
comment on column outbox_held_message.message_id is 'logical id of the message';
comment on column outbox_held_message.broker_message_id is 'MessageId on the broker when it is not message_id';
comment on column outbox_held_message.partition_key is 'PartitionKey on the broker';
comment on column outbox_held_message.subject is 'Subject on the broker';
comment on column outbox_held_message.content_type is 'ContentType on the broker';
comment on column outbox_held_message.correlation_id is 'CorrelationId on the broker';
comment on column outbox_held_message.to_address is 'To on the broker';
comment on column outbox_held_message.reply_to is 'ReplyTo on the broker';
comment on column outbox_held_message.reply_to_session_id is 'ReplyToSessionId on the broker';
comment on column outbox_held_message.time_to_live is 'TimeToLive on the broker, in milliseconds';
comment on column outbox_held_message.scheduled_enqueue_time is 'ScheduledEnqueueTime on the broker';
comment on column outbox_held_message.headers is 'application properties, as a JSON object; text, because jsonb refuses characters that foreign producers may send';
comment on column outbox_held_message.payload is 'the body';
comment on column outbox_held_message.added_at is 'when it came into the hold';

create view outbox_message_status as
select m.*,
    case
        when exists (
            select from outbox_held_message x join outbox_hold h on h.id = x.hold_id
            where x.origin_position = m.seq and x.origin_time = m.created_at
                and h.destination = m.destination) then 'held'
        when outbox_is_published(m.xid, m.seq, c.position, c.snapshot, c.next_xid) then 'published'
        else 'pending'
    end as status
from outbox_row m
left join outbox_cursor c using (destination, bucket);

-- What an operator has said about a destination; no row means: go on.
create table outbox_pause (
    destination text primary key,
    reason text not null,
    paused_by text not null default current_user,
    paused_at timestamptz not null default clock_timestamp()
);

-- Destinations that refuse whatever is sent to them; seen again with each try, gone with the first success.
create table outbox_refusal (
    destination text primary key,
    reason text not null,
    description text not null,
    refused_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

-- Lanes whose owners keep dying where they stand. Written only when a lane with rows is taken over from an owner whose
-- lease ran out; of no meaning once the lane has moved on from the position.
create table outbox_suspicion (
    destination text not null,
    bucket smallint not null,
    position bigint not null,
    -- Of the owner who counted last: a lane that it adopts anew is no take-over.
    epoch bigint not null,
    takeovers integer not null,
    -- The row that is about to be sent alone; that of the last owner who died; how many have died with the same one;
    -- and those that are not sent any more.
    started bigint,
    accused bigint,
    accusations integer not null default 0,
    culprits bigint[] not null default '{}',
    late_reached bigint not null default 0,
    primary key (destination, bucket)
) with (fillfactor = 50);

-- Messages that wait for their time. When it has come the relay moves them to outbox_message in one transaction.
create table outbox_scheduled (
    -- Order among those that are due at the same time.
    id bigint generated always as identity (cache 1) primary key,
    due_at timestamptz not null,
    destination text not null,
    session_id varchar(128),
    message_id varchar(128) not null,
    broker_message_id varchar(128),
    partition_key varchar(128),
    subject text,
    content_type text,
    correlation_id text,
    to_address text,
    reply_to text,
    reply_to_session_id text,
    time_to_live bigint,
    scheduled_enqueue_time timestamptz,
    headers jsonb,
    payload bytea not null,
    created_at timestamptz not null default clock_timestamp(),
    xid xid8 not null default pg_current_xact_id(),
    -- What is scheduled again under its id takes the place of what waits.
    unique (destination, message_id)
);

comment on column outbox_scheduled.time_to_live is 'milliseconds';

create index outbox_scheduled_due on outbox_scheduled (destination, due_at, id);
create index outbox_scheduled_session on outbox_scheduled (destination, session_id, due_at, id);

comment on column outbox_scheduled.xid is 'the transaction that wrote the row as it is';

-- Also for those who update a row by hand, or bring rows from elsewhere with their columns as they were.
create function outbox_scheduled_written() returns trigger language plpgsql as $$
begin
    new.xid := pg_current_xact_id();
    return new;
end $$;

create trigger outbox_scheduled_written before insert or update on outbox_scheduled
    for each row execute function outbox_scheduled_written();

alter table outbox_scheduled enable always trigger outbox_scheduled_written;

create index outbox_scheduled_xid on outbox_scheduled (xid);

-- Runs that append published messages once more. Each goes through its rows in order and remembers how far it came.
create table outbox_replay (
    id uuid primary key,
    destination text not null,
    session_id varchar(128),
    created_from timestamptz not null,
    created_until timestamptz not null,
    -- Everything up to here is replayed, or was not chosen.
    position bigint not null,
    last_seq bigint not null,
    replayed bigint not null default 0,
    state text not null default 'running' check (state in ('running', 'done', 'abandoned')),
    reason text not null,
    started_by text not null default session_user,
    started_at timestamptz not null default clock_timestamp(),
    changed_at timestamptz not null default clock_timestamp()
);

-- What was published when the run began: only that is replayed.
create table outbox_replay_lane (
    replay uuid not null references outbox_replay on delete cascade,
    bucket smallint not null,
    position bigint not null,
    snapshot pg_snapshot not null,
    primary key (replay, bucket)
);

-- Where relays publish to: each says so when it starts. What is re-driven to anywhere else would wait for ever.
create table outbox_destination (
    destination text primary key,
    served_at timestamptz not null default clock_timestamp()
);

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

-- How much waits, as before, but late messages of a destination are seen however many rows of others their transaction has
-- written before them: 50,000 of all destinations together were looked at. Now the rows are not cut, and looked at once for
-- all lanes, by ranges of transaction ids that do not overlap. The present snapshot is asked for once, because each call copies
-- it, and a lane's snapshot is unpacked once. What is known of a row's lane is looked up in arrays, so that rows need not be
-- sorted for a join.
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

-- The same alarms, and one for messages whose time came more than a minute ago: nobody moves them into the outbox, because no
-- relay knows their destination, or because none is able to.
create view relay_alarm as
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
select 'parked', 'warning', h.destination, count(*) || case count(*) when 1 then ' hold of the outbox waits' else ' holds of the outbox wait' end
    || ' for an operator, the oldest since ' || min(h.held_at)::text
from outbox_hold h where h.state = 'parked' group by h.destination
union all
select 'paused', 'warning', p.destination, 'paused by ' || p.paused_by || ' since ' || p.paused_at::text || ': ' || p.reason
from outbox_pause p
union all
select 'paused', 'warning', m.destination,
    'moves to ' || m.moves_to || ', by ' || m.operator || ' since ' || m.held_since::text || ': ' || m.reason
from moves m;
