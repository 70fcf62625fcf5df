-- What consumers remember: the ids of handled messages, and the few messages and sessions in trouble.

create table inbox_message (
    key uuid primary key,
    consumer text not null,
    message_id text not null,
    handled_at timestamptz not null default clock_timestamp()
);

comment on table inbox_message is 'one row for each message that a consumer has handled, written in the transaction of its effects';
comment on column inbox_message.key is '128 bits of a digest over consumer and logical id: one narrow key whatever the ids look like';
comment on column inbox_message.consumer is 'name of the consumer';
comment on column inbox_message.message_id is 'logical id of the message';
comment on column inbox_message.handled_at is 'when the row was written';

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
    longest_attempt bigint not null
) with (fillfactor = 50);

comment on table inbox_instance is 'running consumers; one whose row outlives its lease was killed, perhaps by the message it had in hand';
comment on column inbox_instance.id is 'random, made at each start';
comment on column inbox_instance.consumer is 'name of the consumer';
comment on column inbox_instance.started_at is 'when the process started';
comment on column inbox_instance.alive_until is 'renewed every few seconds';
comment on column inbox_instance.longest_attempt is 'how long an attempt of this process may last at most, in milliseconds';

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

create view inbox_alarm as
select 'parked' as alarm, 'warning' as severity, h.scope as consumer,
    count(*) || case count(*) when 1 then ' hold of the inbox waits' else ' holds of the inbox wait' end
        || ' for an operator, the oldest since ' || min(h.held_at)::text as detail
from hold h where h.state = 'parked' and h.side = 'inbox' group by h.scope;

comment on view inbox_alarm is 'alarms of consumers; empty when all is well';
comment on column inbox_alarm.alarm is 'name of the alarm; parked: holds wait for an operator';
comment on column inbox_alarm.severity is 'critical or warning';
comment on column inbox_alarm.consumer is 'name of the consumer';
comment on column inbox_alarm.detail is 'what an operator should know';
