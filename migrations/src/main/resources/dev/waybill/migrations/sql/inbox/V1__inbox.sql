-- The memory of consumers: ids of handled messages, and messages and sessions with failures.

create table inbox_message (
    key uuid primary key,
    consumer text not null,
    message_id text not null,
    handled_at timestamptz not null default clock_timestamp(),
    content integer
);

comment on table inbox_message is 'one row for each message that a consumer has handled, written in the transaction of its effects';
comment on column inbox_message.key is '128 bits of a digest over consumer and logical id: one narrow key whatever the ids look like';
comment on column inbox_message.consumer is 'name of the consumer';
comment on column inbox_message.message_id is 'logical id of the message';
comment on column inbox_message.handled_at is 'when the row was written';
comment on column inbox_message.content is 'checksum of subject, claim and body: tells a repeat from another message with the same id; null: not known';

create table inbox_start (
    key uuid primary key,
    consumer text not null,
    starts integer not null,
    started_at timestamptz not null default clock_timestamp()
);

comment on table inbox_start is 'how often the handling of a redelivered message has begun without an end: finds messages that kill their process';
comment on column inbox_start.key is 'digest over consumer, logical id, sequence number and enqueued time: each copy of a message counts for itself';
comment on column inbox_start.consumer is 'name of the consumer';
comment on column inbox_start.starts is 'starts since the last end of any kind';
comment on column inbox_start.started_at is 'when the last one began';

create table inbox_session (
    consumer text not null,
    entity text not null,
    session_id text not null,
    message_key uuid not null,
    closes integer not null,
    closed_at timestamptz not null default clock_timestamp(),
    primary key (consumer, entity, session_id)
);

comment on table inbox_session is 'sessions that were returned with their first message unsettled, which the broker does not count as a delivery';
comment on column inbox_session.consumer is 'name of the consumer';
comment on column inbox_session.entity is 'path of the queue or subscription';
comment on column inbox_session.session_id is 'digest of the session''s name';
comment on column inbox_session.message_key is 'the message that would not be done; another one begins a new count';
comment on column inbox_session.closes is 'returns in a row because of this message';
comment on column inbox_session.closed_at is 'when the last one happened';

create table inbox_instance (
    id uuid primary key,
    consumer text not null,
    started_at timestamptz not null default clock_timestamp(),
    alive_until timestamptz not null,
    longest_attempt bigint not null,
    trouble text,
    entity text
) with (fillfactor = 50);

comment on table inbox_instance is 'running consumers; one whose row outlives its lease was killed, perhaps by the message it had in hand';
comment on column inbox_instance.id is 'random, made at each start';
comment on column inbox_instance.consumer is 'name of the consumer';
comment on column inbox_instance.started_at is 'when the process started';
comment on column inbox_instance.alive_until is 'renewed every few seconds';
comment on column inbox_instance.longest_attempt is 'how long an attempt of this process may last at most, in milliseconds';
comment on column inbox_instance.trouble is 'why it receives nothing from the broker; null if it receives';
comment on column inbox_instance.entity is 'queue or subscription that it receives from';

create table inbox_consumer (
    name text primary key,
    alive_since timestamptz not null default clock_timestamp(),
    alive_until timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

comment on table inbox_consumer is 'since when each consumer has worked without a longer pause; ids are removed only after that was long enough';
comment on column inbox_consumer.name is 'name of the consumer';
comment on column inbox_consumer.alive_since is 'end of the last longer pause';
comment on column inbox_consumer.alive_until is 'renewed by the consumer''s clean-up';

create sequence inbox_acceptance_seq;

comment on sequence inbox_acceptance_seq is 'fencing tokens: each acceptance of a session allocates one, higher than those before it';

create table inbox_acceptance (
    key uuid primary key,
    consumer text not null,
    token bigint not null,
    accepted_at timestamptz not null default clock_timestamp()
) with (fillfactor = 70);

comment on table inbox_acceptance is 'the newest owner of each session: a consumer that was frozen may learn too late that it has been succeeded';
comment on column inbox_acceptance.key is 'digest of consumer, entity and session';
comment on column inbox_acceptance.consumer is 'name of the consumer';
comment on column inbox_acceptance.token is 'the highest under which a message of the session was admitted';
comment on column inbox_acceptance.accepted_at is 'when it was recorded';

-- Sessions and messages that could not be handled.
create table inbox_hold (
    id bigint generated always as identity primary key,
    consumer text not null check (consumer <> ''),
    session_id text,
    message_id text,
    -- The length of the session separates it from the message, so that keys are unique.
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
    unique (consumer, key),
    check (session_id is not null or message_id is not null)
);

-- For due holds, in order.
create index inbox_hold_due_first on inbox_hold (consumer, due_at, id) where state = 'retrying';

create table inbox_held_message (
    hold_id bigint not null references inbox_hold on delete cascade,
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
create unique index inbox_held_message_dead_letter on inbox_held_message (hold_id, dead_letter) where dead_letter is not null;
create unique index inbox_held_message_origin_once on inbox_held_message (
    hold_id, origin_position, origin_time, hashtextextended(message_id collate "C", 0)) where dead_letter is null;
create index inbox_held_message_origin on inbox_held_message (origin_position);
create index inbox_held_message_id on inbox_held_message (hashtextextended(message_id collate "C", 0));

create trigger erasure_obeyed before insert on inbox_held_message
    for each row execute function erasure_obeyed_by_hold();

comment on table inbox_hold is 'sessions or messages of the inbox that wait for an operator or their next attempt; whoever changes one locks its row first';
comment on column inbox_hold.id is 'order in which holds began';
comment on column inbox_hold.consumer is 'name of the consumer';
comment on column inbox_hold.session_id is 'the session; null: a message without one';
comment on column inbox_hold.message_id is 'logical id of the one message that is held; null: the whole session is';
comment on column inbox_hold.key is 'session and message in one text';
comment on column inbox_hold.state is 'retrying: the next attempt is due at due_at; parked: an operator has to decide';
comment on column inbox_hold.due_at is 'when the next attempt is due';
comment on column inbox_hold.reason is 'name of the cause';
comment on column inbox_hold.description is 'the cause';
comment on column inbox_hold.attempts is 'attempts at the first message that were begun and not refuted by an outage';
comment on column inbox_hold.times_parked is 'how often it was parked';
comment on column inbox_hold.attempt_token is 'set while an attempt runs, which has to name it to settle';
comment on column inbox_hold.attempt_until is 'until when skip and edit answer "busy", and no other attempt begins';
comment on column inbox_hold.attempted_at is 'when the last attempt began';
comment on column inbox_hold.held_at is 'when the hold began';
comment on column inbox_hold.changed_at is 'when it was changed last';

comment on table inbox_held_message is 'the messages of inbox_hold, in order';
comment on column inbox_held_message.hold_id is 'the hold';
comment on column inbox_held_message.place is 'order inside the hold';
comment on column inbox_held_message.origin_position is 'sequence number on the broker';
comment on column inbox_held_message.origin_time is 'enqueued time on the broker';
comment on column inbox_held_message.deliveries is 'delivery count on the broker';
comment on column inbox_held_message.dead_letter is 'the dead letter that it is, if a re-drive brought it';
comment on column inbox_held_message.session_id is 'SessionId on the broker';
comment on column inbox_held_message.message_id is 'logical id of the message';
comment on column inbox_held_message.broker_message_id is 'MessageId on the broker when it is not message_id';
comment on column inbox_held_message.partition_key is 'PartitionKey on the broker';
comment on column inbox_held_message.subject is 'Subject on the broker';
comment on column inbox_held_message.content_type is 'ContentType on the broker';
comment on column inbox_held_message.correlation_id is 'CorrelationId on the broker';
comment on column inbox_held_message.to_address is 'To on the broker';
comment on column inbox_held_message.reply_to is 'ReplyTo on the broker';
comment on column inbox_held_message.reply_to_session_id is 'ReplyToSessionId on the broker';
comment on column inbox_held_message.time_to_live is 'TimeToLive on the broker, in milliseconds';
comment on column inbox_held_message.scheduled_enqueue_time is 'ScheduledEnqueueTime on the broker';
comment on column inbox_held_message.headers is 'application properties, as a JSON object; text, because jsonb refuses characters that foreign producers may send';
comment on column inbox_held_message.payload is 'the body';
comment on column inbox_held_message.added_at is 'when it came into the hold';

create view inbox_alarm as
select 'parked' as alarm, 'warning' as severity, h.consumer,
    count(*) || case count(*) when 1 then ' hold of the inbox waits' else ' holds of the inbox wait' end
        || ' for an operator, the oldest since ' || min(h.held_at)::text as detail
from inbox_hold h where h.state = 'parked' group by h.consumer
union all
select 'not-receiving', 'critical', i.consumer,
    count(*) || case count(*) when 1 then ' process receives nothing: ' else ' processes receive nothing: ' end
        || min(i.trouble)
from inbox_instance i where i.trouble is not null and i.alive_until > clock_timestamp() group by i.consumer;

comment on view inbox_alarm is 'alarms of consumers; empty when all is well';
comment on column inbox_alarm.alarm is 'name of the alarm and of its runbook';
comment on column inbox_alarm.severity is 'critical or warning';
comment on column inbox_alarm.consumer is 'name of the consumer';
comment on column inbox_alarm.detail is 'what an operator should know';
