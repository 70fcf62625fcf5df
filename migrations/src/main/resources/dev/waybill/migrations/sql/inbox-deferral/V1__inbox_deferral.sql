-- Messages that a handler has deferred.

create table inbox_deferral (
    key uuid primary key,
    consumer text not null,
    message_id text not null,
    defer_key text not null,
    session_id text,
    sequence_number bigint not null,
    enqueued_at timestamptz not null,
    deferred_at timestamptz not null default clock_timestamp(),
    resume_at timestamptz,
    tries integer not null default 0,
    resume_key uuid,
    hold_id bigint references inbox_hold on delete cascade,
    gone_by timestamptz
);

create index inbox_deferral_defer_key on inbox_deferral (consumer, defer_key);
create index inbox_deferral_resume on inbox_deferral (consumer, resume_at) where resume_at is not null;
-- With each message, the owner of a session asks whether a deferred message of the session should resume.
create index inbox_deferral_wanted on inbox_deferral (consumer, lower(session_id collate "C"), sequence_number)
    where resume_at is not null;
create index inbox_deferral_resume_key on inbox_deferral (resume_key);
create index inbox_deferral_hold on inbox_deferral (hold_id) where hold_id is not null;

comment on table inbox_deferral is 'deferred messages: on the broker, where only their sequence number finds them, or in a hold';
comment on column inbox_deferral.key is 'as in inbox_message';
comment on column inbox_deferral.consumer is 'name of the consumer';
comment on column inbox_deferral.message_id is 'logical id of the message';
comment on column inbox_deferral.defer_key is 'the key by which the application resumes it';
comment on column inbox_deferral.session_id is 'session of the message';
comment on column inbox_deferral.sequence_number is 'sequence number on the broker';
comment on column inbox_deferral.enqueued_at is 'enqueued time on the broker';
comment on column inbox_deferral.deferred_at is 'when it was deferred';
comment on column inbox_deferral.resume_at is 'when it is to be fetched; null: not resumed yet';
comment on column inbox_deferral.tries is 'failed attempts to fetch it';
comment on column inbox_deferral.resume_key is 'key of the inbox_resumption that resumes it';
comment on column inbox_deferral.hold_id is 'the hold in which it waits; null: deferred on the broker';
comment on column inbox_deferral.gone_by is 'set before the message leaves the broker by a verdict that is not done: no consumer has it in hand after this time';

create table inbox_resumption (
    id bigint generated always as identity primary key,
    key uuid not null,
    resumed_by xid8 not null default pg_current_xact_id(),
    consumer text not null,
    resumed_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz
);

-- Not unique, so that two transactions that resume one key do not wait for each other.
create index inbox_resumption_key on inbox_resumption (key);
create index inbox_resumption_seen on inbox_resumption (consumer, seen_at);

comment on table inbox_resumption is 'resumed keys, kept for the attempts that cannot have seen them and defer all the same';
comment on column inbox_resumption.id is 'identity of the row';
comment on column inbox_resumption.key is '128 bits of a digest over consumer and key';
comment on column inbox_resumption.resumed_by is 'the transaction that resumed; tells whether an attempt can have seen it';
comment on column inbox_resumption.consumer is 'name of the consumer';
comment on column inbox_resumption.resumed_at is 'when the row was written';
comment on column inbox_resumption.seen_at is 'when a consumer first met it, after its commit, and resumed what it found';
