-- The outbox. A message is pending as long as its row is in outbox_message; the relay deletes the row when the broker has the
-- message. A relay's memory beside these tables is a cache.

-- CACHE 1: a database session that caches values would publish its messages behind later ones.
create sequence outbox_seq as bigint cache 1;

-- Now last_value is the last allocated value; before the first call it would be 1, which is not allocated.
select nextval('outbox_seq');

create table outbox_message (
    -- The transaction gets its id before it allocates a value; a plain default would allocate the value first. The relay relies
    -- on this: the writer of a value allocated before a settle has an id below that of the settle's transaction.
    seq bigint not null default case when pg_current_xact_id() is not null then nextval('outbox_seq') end,
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
    primary key (destination, seq)
) with (
    -- Analyze is rare, because the relay forces its plans.
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
    autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_threshold = 1000000,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 5000,
    toast.autovacuum_vacuum_cost_delay = 0);

comment on sequence outbox_seq is 'values of outbox_message.seq and outbox_scheduled.id; allocated one by one';
comment on table outbox_message is 'messages that wait to be published; deleted when the broker has them';
comment on column outbox_message.seq is 'order within a session; allocated by the database, never given by a writer';
comment on column outbox_message.destination is 'queue or topic, or the name that stands for it';
comment on column outbox_message.session_id is 'messages of one session are published in order; null: no order';
comment on column outbox_message.message_id is 'the logical id of the message';
comment on column outbox_message.broker_message_id is 'MessageId on the broker when it is not message_id';
comment on column outbox_message.partition_key is 'PartitionKey on the broker';
comment on column outbox_message.subject is 'Subject on the broker';
comment on column outbox_message.content_type is 'ContentType on the broker';
comment on column outbox_message.correlation_id is 'CorrelationId on the broker';
comment on column outbox_message.to_address is 'To on the broker';
comment on column outbox_message.reply_to is 'ReplyTo on the broker';
comment on column outbox_message.reply_to_session_id is 'ReplyToSessionId on the broker';
comment on column outbox_message.time_to_live is 'TimeToLive on the broker, in milliseconds';
comment on column outbox_message.scheduled_enqueue_time is 'ScheduledEnqueueTime: the broker keeps the message until then';
comment on column outbox_message.headers is 'application properties, as a JSON object';
comment on column outbox_message.payload is 'the body, as it is published';
comment on column outbox_message.created_at is 'when the row was written';

create table outbox_scheduled (
    -- Orders messages with equal due times; changes if the message is scheduled again.
    id bigint not null default nextval('outbox_seq'),
    destination text not null,
    message_id varchar(128) not null,
    due_at timestamptz not null,
    session_id varchar(128),
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
    -- A message that is scheduled again under its id replaces the earlier one.
    primary key (destination, message_id)
) with (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
    autovacuum_vacuum_insert_threshold = -1,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 5000,
    toast.autovacuum_vacuum_cost_delay = 0);

create index outbox_scheduled_due on outbox_scheduled (destination, due_at, id);
create unique index outbox_scheduled_id on outbox_scheduled (id);

comment on table outbox_scheduled is 'messages that wait for their time; the relay moves them to outbox_message';
comment on column outbox_scheduled.id is 'order among messages that are due at the same time; another one when the message is scheduled again';
comment on column outbox_scheduled.destination is 'queue or topic, or the name that stands for it';
comment on column outbox_scheduled.message_id is 'the logical id of the message; scheduled again under it, the message replaces the one that waits';
comment on column outbox_scheduled.due_at is 'the earliest time at which the message is published';
comment on column outbox_scheduled.session_id is 'messages of one session are published in order; null: no order';
comment on column outbox_scheduled.broker_message_id is 'MessageId on the broker when it is not message_id';
comment on column outbox_scheduled.partition_key is 'PartitionKey on the broker';
comment on column outbox_scheduled.subject is 'Subject on the broker';
comment on column outbox_scheduled.content_type is 'ContentType on the broker';
comment on column outbox_scheduled.correlation_id is 'CorrelationId on the broker';
comment on column outbox_scheduled.to_address is 'To on the broker';
comment on column outbox_scheduled.reply_to is 'ReplyTo on the broker';
comment on column outbox_scheduled.reply_to_session_id is 'ReplyToSessionId on the broker';
comment on column outbox_scheduled.time_to_live is 'TimeToLive on the broker, in milliseconds';
comment on column outbox_scheduled.scheduled_enqueue_time is 'ScheduledEnqueueTime: the broker keeps the message until then';
comment on column outbox_scheduled.headers is 'application properties, as a JSON object';
comment on column outbox_scheduled.payload is 'the body, as it is published';
comment on column outbox_scheduled.created_at is 'when the row was written';

-- One row for each destination, inserted by the first relay that serves it, or by an operator's first command.
create table outbox_destination (
    destination text primary key,
    -- One relay owns a destination. Each change of owner raises the epoch, which fences settles.
    owner uuid,
    epoch bigint not null default 0,
    free_at timestamptz not null default '-infinity',
    -- Null: not paused.
    paused_at timestamptz,
    paused_by text,
    pause_reason text,
    -- The broker refuses all messages; null: it does not.
    refused_at timestamptz,
    refusal_seen_at timestamptz,
    refusal_reason text,
    refusal_description text,
    -- The target of a migration; null: the entity of the relay's configuration.
    entity text,
    entity_partitioned boolean not null default false,
    former_entities text[] not null default '{}',
    switched_at timestamptz,
    -- The migration under way; null: none.
    moves_from text,
    moves_to text,
    move_token uuid,
    moves_since timestamptz,
    moves_until timestamptz,
    move_operator text,
    move_reason text,
    -- Takeovers in a row from owners that died while messages were pending, and the message in isolation.
    deaths integer not null default 0,
    suspect_seq bigint,
    suspect_message_id varchar(128),
    -- The epoch of the isolation; null: the message has returned, so a crash does not count against it.
    suspect_epoch bigint,
    suspect_deaths integer not null default 0
) with (fillfactor = 50);

comment on table outbox_destination is 'who publishes to a destination, and whether it is open, paused, refused or moving';
comment on column outbox_destination.destination is 'queue or topic, or the name that stands for it';
comment on column outbox_destination.owner is 'the relay that publishes to it; null: none';
comment on column outbox_destination.epoch is 'grows with each change of owner; settles of an older one change nothing';
comment on column outbox_destination.free_at is 'not claimed before: what the last owner sent may be under way until then';
comment on column outbox_destination.paused_at is 'since when an operator has paused it; null: open';
comment on column outbox_destination.paused_by is 'the operator who paused it';
comment on column outbox_destination.pause_reason is 'why it is paused';
comment on column outbox_destination.refused_at is 'since when the broker refuses each message; null: it does not';
comment on column outbox_destination.refusal_seen_at is 'when the broker refused last';
comment on column outbox_destination.refusal_reason is 'name of the cause of the refusal';
comment on column outbox_destination.refusal_description is 'the words of the broker';
comment on column outbox_destination.entity is 'the entity that a migration has moved it to; null: the one in the configuration of the relay';
comment on column outbox_destination.entity_partitioned is 'whether that entity is partitioned';
comment on column outbox_destination.former_entities is 'the entities before, the last one at the end';
comment on column outbox_destination.switched_at is 'when the last migration ended';
comment on column outbox_destination.moves_from is 'the entity that the migration under way leaves; null: none is under way';
comment on column outbox_destination.moves_to is 'the entity that it moves to';
comment on column outbox_destination.move_token is 'names the process that migrates';
comment on column outbox_destination.moves_since is 'when the migration began';
comment on column outbox_destination.moves_until is 'until when no relay claims the destination, unless the migration is prolonged';
comment on column outbox_destination.move_operator is 'the operator who migrates';
comment on column outbox_destination.move_reason is 'why it is migrated';
comment on column outbox_destination.deaths is 'take-overs in a row from owners that died while messages waited';
comment on column outbox_destination.suspect_seq is 'value of the message that was sent alone when its owner died; null: none was';
comment on column outbox_destination.suspect_message_id is 'id of that message';
comment on column outbox_destination.suspect_epoch is 'epoch under which it was sent alone; null: the broker has answered since';
comment on column outbox_destination.suspect_deaths is 'owners in a row that died while it was sent alone';

create table relay (
    -- Random, new at each start and after each lapse of the lease, so that it is unique.
    id uuid primary key,
    name text not null,
    started_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp(),
    alive_until timestamptz not null,
    follows_entities boolean not null,
    -- The destinations that it would publish to now; none while its loop hangs.
    serving text[] not null,
    -- The state of each destination, and of the relay itself under null.
    destinations text[] not null,
    states text[] not null,
    since timestamptz[] not null,
    details text[] not null,
    -- Messages per second that the broker accepted between the last two heartbeats.
    rates double precision[] not null default '{}',
    -- Whether the process publishes metrics of the whole outbox; one such relay is chosen.
    tells_figures boolean not null default false,
    -- Where it publishes each destination to.
    places jsonb not null default '{}'
) with (fillfactor = 50);

comment on table relay is 'one row for each running relay, renewed by its heartbeat';
comment on column relay.id is 'random; a new one at each start, and after a lease has run out';
comment on column relay.name is 'the name in the configuration; two relays may share it';
comment on column relay.started_at is 'when the relay started';
comment on column relay.seen_at is 'when its last heartbeat came';
comment on column relay.alive_until is 'the end of its lease; a heartbeat prolongs what has not run out';
comment on column relay.follows_entities is 'whether it can send to the entity that a migration names';
comment on column relay.serving is 'destinations that it would publish to; none while its loop hangs';
comment on column relay.destinations is 'the destinations that states, since and details speak of; null stands for the relay itself';
comment on column relay.states is 'such as starting, throttled, unavailable or failing, for each of destinations';
comment on column relay.since is 'since when each of them is in its state';
comment on column relay.details is 'the cause of each state';
comment on column relay.rates is 'messages a second that the broker accepted between the last two heartbeats, for each of destinations';
comment on column relay.tells_figures is 'whether the process publishes metrics of the whole outbox; one of those that do is chosen';
comment on column relay.places is 'where it publishes to, such as host/entity, by destination';

-- Sessions and messages that could not be published.
create table outbox_hold (
    id bigint generated always as identity primary key,
    destination text not null check (destination <> ''),
    session_id text,
    message_id text,
    -- The length of the session separates it from the message, so that keys are unique. Service Bus compares sessions without
    -- regard to case.
    key text not null generated always as
        (coalesce(length(session_id)::text || ':' || lower(session_id collate "C"), '-') || coalesce('/' || message_id, '')) stored,
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

create index outbox_hold_due on outbox_hold (due_at) where state = 'retrying';
-- For due holds, in order.
create index outbox_hold_due_first on outbox_hold (destination, due_at, id) where state = 'retrying';

create table outbox_held_message (
    hold_id bigint not null references outbox_hold on delete cascade,
    -- CACHE 1: places follow the order of the messages.
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

-- A dead letter is in a hold once. The id distinguishes other messages, because two entities may assign equal numbers in one
-- millisecond. A hash, because a foreign id may be too long for an index.
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

-- Pending messages by destination. Counts stop at 100,000, which means at least that many.
create view outbox_backlog as
with recursive known as (
    (select destination from outbox_message order by destination limit 1)
    union all
    select (select m.destination from outbox_message m where m.destination > known.destination
            order by m.destination limit 1)
    from known where known.destination is not null
)
select k.destination, w.pending, o.created_at as oldest_created_at,
    coalesce(extract(epoch from clock_timestamp() - o.created_at), 0)::double precision as oldest_age_seconds
from known k
cross join lateral (
    select count(*) as pending
    from (select from outbox_message m where m.destination = k.destination limit 100000) r) w
cross join lateral (
    select m.created_at from outbox_message m where m.destination = k.destination order by m.seq limit 1) o
where k.destination is not null;

comment on view outbox_backlog is 'messages that wait in outbox_message, by destination; counted up to 100,000';
comment on column outbox_backlog.destination is 'queue or topic, or the name that stands for it';
comment on column outbox_backlog.pending is 'messages that wait; 100000 means at least so many';
comment on column outbox_backlog.oldest_created_at is 'when the first of them was written';
comment on column outbox_backlog.oldest_age_seconds is 'its age';

-- Alarms that need no running relay; empty if all is well.
create view relay_alarm as
with recursive known as (
    (select destination from outbox_scheduled order by destination limit 1)
    union all
    select (select s.destination from outbox_scheduled s where s.destination > known.destination
            order by s.destination limit 1)
    from known where known.destination is not null
), alive as materialized (
    select * from relay where alive_until > clock_timestamp()
), states as materialized (
    select a.name as relay, s.destination, s.state, s.since, s.detail, s.destination = any(a.serving) as serving,
        -- The entity of a migration is in force for every relay, whatever its configuration says.
        case when a.follows_entities and d.entity is not null and a.places ->> s.destination <> ''
            then split_part(a.places ->> s.destination, '/', 1) || '/' || lower(d.entity collate "C")
            else a.places ->> s.destination end as place,
        a.follows_entities
    from alive a
    cross join lateral unnest(a.destinations, a.states, a.since, a.details) as s(destination, state, since, detail)
    left join outbox_destination d on d.destination = s.destination
), stands as (
    select destination from outbox_destination where paused_at is not null or moves_until > clock_timestamp()
)
select 'no-relay' as alarm, 'critical' as severity, null::text as destination,
    'no relay is alive; the last was seen ' || coalesce((select max(seen_at)::text from relay), 'never') as detail
where not exists (select from alive)
union all
select 'hanging', 'critical', s.destination,
    'relay ' || s.relay || ' has taken no turn for this destination since ' || s.since::text
from states s where not s.serving and s.state not in ('starting', 'failing')
union all
select case s.state when 'failing' then 'database' else s.state end, 'critical', s.destination,
    'relay ' || s.relay || ', since ' || s.since::text || ': ' || s.detail
from states s
where s.serving and s.state in ('unavailable', 'throttled') or s.state = 'failing'
union all
select 'unowned', 'critical', d.destination, 'no relay owns the destination'
from outbox_destination d
where exists (select from states s where s.destination = d.destination and s.serving)
    and d.free_at < clock_timestamp() - interval '5 seconds'
    and not exists (select from stands t where t.destination = d.destination)
    and not exists (select from alive a where a.id = d.owner and d.destination = any(a.serving))
union all
select 'stalled', 'critical', b.destination,
    case b.pending when 100000 then 'at least ' else '' end || b.pending || ' messages wait, the oldest for '
        || round(b.oldest_age_seconds) || ' s'
        || case when exists (select from states s where s.destination = b.destination) then ''
            else ', and no relay that is alive serves this destination' || coalesce((
                select '; relays serve ''' || string_agg(n.destination, ''', ''') || '''' from (
                    select s.destination from states s where s.serving group by s.destination
                    order by lower(s.destination) <> lower(b.destination), s.destination limit 5) n), '') end
from outbox_backlog b
where b.oldest_age_seconds > 60 and not exists (select from stands t where t.destination = b.destination)
union all
select 'stalled', 'critical', k.destination,
    'scheduled messages are overdue, the oldest for '
        -- PostgreSQL before 17 cannot subtract from infinity.
        || round(extract(epoch from clock_timestamp() - greatest(o.due_at, '2000-01-01 00:00:00+00'))) || ' s'
        || case when exists (select from states s where s.destination = k.destination) then ''
            else ', and no relay that is alive serves this destination' || coalesce((
                select '; relays serve ''' || string_agg(n.destination, ''', ''') || '''' from (
                    select s.destination from states s where s.serving group by s.destination
                    order by lower(s.destination) <> lower(k.destination), s.destination limit 5) n), '') end
from known k
cross join lateral (
    select s.due_at from outbox_scheduled s where s.destination = k.destination order by s.due_at limit 1) o
where k.destination is not null and o.due_at < clock_timestamp() - interval '60 seconds'
union all
select 'two-namespaces', 'critical', p.destination,
    'relays publish it to different places: ' || string_agg(p.place || ' (' || p.relays || ')', ', ' order by p.place)
from (
    select s.destination, s.place, string_agg(distinct s.relay, ', ') as relays
    from states s where s.serving and s.place <> '' group by s.destination, s.place) p
group by p.destination having count(*) > 1
union all
-- Order and holds are by the exact name: a session of one passes its own hold in the other.
select 'two-spellings', 'critical', d.destination, 'Service Bus takes these for one: ' || p.names
from (
    select array_agg(n.destination) as destinations,
        string_agg('''' || n.destination || ''' (' || n.used_by || ')', ', '
            order by n.destination collate "C") as names
    from (
        select s.destination, 'relay ' || string_agg(distinct s.relay, ', ') as used_by
        from states s where s.serving group by s.destination
        union all
        select distinct h.destination, 'holds' from outbox_hold h
        where not exists (select from states s where s.serving and s.destination = h.destination)) n
    group by lower(n.destination collate "C") having count(*) > 1) p
cross join lateral unnest(p.destinations) as d(destination)
union all
select 'two-spellings', 'critical', d.destination, 'all of these are ' || p.place || ': ' || p.names
from (
    select n.place, array_agg(n.destination) as destinations,
        string_agg('''' || n.destination || ''' (relay ' || n.relays || ')', ', '
            order by n.destination collate "C") as names
    from (
        select s.place, s.destination, string_agg(distinct s.relay, ', ') as relays
        from states s where s.serving and s.follows_entities and s.place <> '' group by s.place, s.destination) n
    group by n.place having count(distinct lower(n.destination collate "C")) > 1) p
cross join lateral unnest(p.destinations) as d(destination)
union all
select 'refused', 'critical', d.destination, d.refusal_reason || ': ' || d.refusal_description
from outbox_destination d where d.refusal_seen_at > clock_timestamp() - interval '5 minutes'
union all
select 'parked', 'warning', h.destination, count(*) || case count(*) when 1 then ' hold waits' else ' holds wait' end
    || ' for an operator, the oldest since ' || min(h.held_at)::text
from outbox_hold h where h.state = 'parked' group by h.destination
union all
select 'paused', 'warning', d.destination,
    'paused by ' || d.paused_by || ' since ' || d.paused_at::text || ': ' || d.pause_reason
from outbox_destination d where d.paused_at is not null
union all
select 'paused', 'warning', d.destination,
    'moves to ' || d.moves_to || ', by ' || d.move_operator || ' since ' || d.moves_since::text || ': ' || d.move_reason
from outbox_destination d where d.moves_until > clock_timestamp();

comment on view relay_alarm is 'alarms of the outbox; empty when all is well';
comment on column relay_alarm.alarm is 'name of the alarm and of its runbook';
comment on column relay_alarm.severity is 'critical or warning';
comment on column relay_alarm.destination is 'the destination that it concerns; null: all of them';
comment on column relay_alarm.detail is 'the cause, for a person';

-- For writers without the library. It refuses what the library refuses. It locks the session before the row allocates its
-- sequence value. With a plain insert, two concurrent appends to a session may commit in the other order.
create function outbox_append(
    destination text, session_id text, message_id text, payload bytea, subject text default null,
    content_type text default null, correlation_id text default null, headers jsonb default null)
returns void language plpgsql set search_path from current set standard_conforming_strings = on as $$
declare
    problem text;
    -- The id travels twice, and properties beyond 300 bytes need padding.
    standard integer := 2 * octet_length(message_id)
        + octet_length(concat(session_id, subject, content_type, correlation_id));
begin
    select case
        when destination is null or destination !~ '\S' then 'destination is empty'
        when destination ~ '^\s|\s$' then 'destination begins or ends with a blank'
        when message_id is null or message_id = '' then 'message_id is empty'
        when session_id = '' then 'session_id is empty'
        -- As the Azure SDK counts: a character outside the basic plane is two.
        when length(message_id) > 128 or length(message_id) > 64 and octet_length(message_id) > length(message_id)
            and length(message_id) + length(regexp_replace(message_id, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128
            then 'message_id has more than 128 characters'
        when length(session_id) > 128 or length(session_id) > 64 and octet_length(session_id) > length(session_id)
            and length(session_id) + length(regexp_replace(session_id, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128
            then 'session_id has more than 128 characters'
        when message_id ~ '~[0-9a-v]{26}$' then 'message_id has the form that only re-drives carry: <id>~<digest>'
        -- The locks and the keys of holds fold the letters A to Z, Service Bus folds all.
        when lower(regexp_replace(session_id, '[A-Z]', '', 'g')) <> regexp_replace(session_id, '[A-Z]', '', 'g')
            then 'session_id has an upper-case letter outside A to Z; write it in lower case'
        -- A symbol of AMQP.
        when content_type ~ '[^\u0020-\u007E]'
            then 'content_type has a character other than U+0020 to U+007E; AMQP takes no other there'
        when standard > 30000 then 'id, session, subject, content type and correlation id have more than 30000 bytes'
        when jsonb_typeof(headers) <> 'object' then 'headers are no JSON object'
        when headers is not null then (
            select coalesce(min(case
                when h.name !~ '\S' then 'a header has no name'
                when lower(h.name collate "C") like 'waybill-%' then 'Waybill itself sets the header ' || h.name
                when h.spellings > 1 then 'Service Bus does not tell apart the spellings of the header ' || h.name
                when octet_length(h.name) + octet_length(h.text) > 32768
                    then 'the header ' || h.name || ' has more than 32768 bytes'
                when h.type = 'number' and not case scale(h.text::numeric)
                        when 0 then h.text::numeric between -9223372036854775808 and 9223372036854775807
                        else abs(h.text::numeric) between 1e-307 and 1e308
                            and length(ltrim(translate(trim_scale(h.text::numeric)::text, '-.', ''), '0')) <= 17 end
                    then 'the header ' || h.name || ' is a number that no long and no double holds'
                when h.type = 'object' and h.text !~ '^\{"uuid": "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"\}$'
                        or h.type in ('null', 'array')
                    then 'the header ' || h.name || ' is no text, number, boolean or {"uuid": "..."}' end),
                case when 63488 < standard + greatest(0, standard - 300) + sum(16 + octet_length(h.name)
                        + octet_length(h.text) + greatest(0, octet_length(h.text) - 2 * length(h.text)))
                    then 'headers and other properties have more than 63488 bytes' end)
            from (select e.key as name, coalesce(e.value #>> '{}', '') as text, jsonb_typeof(e.value) as type,
                    count(*) over (partition by lower(e.key collate "C")) as spellings
                from jsonb_each(headers) e) h) end
    into problem;
    if problem is not null then
        raise exception 'message ''%'' to ''%'': %', message_id, destination, problem using errcode = '22023';
    end if;
    if session_id is not null then
        perform pg_advisory_xact_lock(1463900482, hashtext(lower(destination || chr(31) || session_id collate "C")));
    end if;
    insert into outbox_message (
        destination, session_id, message_id, subject, content_type, correlation_id, headers, payload)
    values (destination, session_id, message_id, subject, content_type, correlation_id, headers, payload);
end $$;

-- Replaces the locks of very many sessions, which would fill the lock table of the cluster: waits for all appending
-- transactions and blocks further appends until this one ends. Reads continue; the relay's deletes wait.
--
-- Runs as the owner, because PostgreSQL grants this lock to no role that may only insert. Hence the qualified names, and the
-- check of the caller's right to append.
do $do$ begin
    execute format($create$
        create function outbox_exclude_writers() returns void language plpgsql security definer
            set search_path to pg_catalog, pg_temp as $$
        begin
            if not has_any_column_privilege(
                case current_setting('role') when 'none' then session_user else current_setting('role') end,
                '%1$I.outbox_message', 'insert')
            then
                raise exception 'permission denied for table outbox_message' using errcode = '42501';
            end if;
            lock table only %1$I.outbox_message in share row exclusive mode;
        end $$
        $create$, current_schema());
end $do$;
