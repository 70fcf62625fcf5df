-- Dead letters that were brought home from the broker, and what became of them.

-- One row per dead letter, from its arrival until its archive has run out.
--   open:        somebody has to decide
--   quarantined: re-driven too often; nothing happens to it until an operator lets it go
--   redriven:    a copy is in the outbox, or was handed to the consumer
--   discarded:   nothing more is to happen
--   archived:    the body is in the archive, until keep_until
create table dead_letter (
    -- CACHE 1: the order of arrival.
    id bigint generated always as identity (cache 1) primary key,
    -- 128 bits of a digest over entity, sub-queue, sequence number, enqueued time, MessageId and body: what comes twice is
    -- stored once, and a recreated entity, which starts its numbers again, loses nothing.
    key uuid not null unique,
    -- Path of the queue or subscription.
    entity text not null,
    transfer boolean not null default false,
    sequence_number bigint not null,
    enqueued_at timestamptz not null,
    deliveries bigint not null default 0,
    expires_at timestamptz,
    -- The entity that passed it on, where dead letters are forwarded.
    source text,
    reason text not null default '',
    description text not null default '',
    exception_type text,
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
    -- JSON as text: jsonb refuses characters that foreign producers may send.
    headers text,
    body_kind text not null default 'data' check (body_kind in ('data', 'value', 'sequence')),
    payload bytea not null,
    -- The body that is kept outside the message, if one is.
    claim uuid,
    -- How often the message had been re-driven when it came.
    redrives integer not null default 0,
    state text not null default 'open'
        check (state in ('open', 'quarantined', 'redriven', 'discarded', 'archived')),
    -- Grows with each edit; what was before is in dead_letter_version.
    version integer not null default 1,
    collected_at timestamptz not null default clock_timestamp(),
    changed_at timestamptz not null default clock_timestamp(),
    -- When the archive may forget it.
    keep_until timestamptz
);

comment on column dead_letter.time_to_live is 'milliseconds';

create index dead_letter_open on dead_letter (entity, reason, enqueued_at) where state in ('open', 'quarantined');
create index dead_letter_message on dead_letter (message_id);
create index dead_letter_session on dead_letter (session_id) where session_id is not null;
create index dead_letter_claim on dead_letter (claim) where claim is not null;
create index dead_letter_closed on dead_letter (changed_at) where state in ('redriven', 'discarded');
create index dead_letter_archived on dead_letter (keep_until) where state = 'archived';
-- Rows come in the order of this time: a few pages of index, whatever their number.
create index dead_letter_collected on dead_letter using brin (collected_at);

-- What messages said before they were edited. Version 1 is what the broker gave us.
create table dead_letter_version (
    dead_letter bigint not null references dead_letter on delete cascade,
    version integer not null,
    session_id text,
    partition_key text,
    subject text,
    content_type text,
    correlation_id text,
    to_address text,
    reply_to text,
    reply_to_session_id text,
    time_to_live bigint,
    headers text,
    body_kind text not null,
    payload bytea not null,
    replaced_at timestamptz not null default clock_timestamp(),
    primary key (dead_letter, version)
);

-- The archive that is kept in this database: whole messages as lines of JSON.
create table dead_letter_archive (
    id bigint primary key,
    document text not null,
    stored_at timestamptz not null default clock_timestamp()
);

-- What was done to dead letters, by whom and why. Outlives them.
create table dead_letter_audit (
    id bigint generated always as identity primary key,
    -- Null for what concerns no single message, such as an erasure.
    dead_letter bigint,
    redrive bigint,
    action text not null,
    operator text not null,
    reason text not null,
    database_user text not null default session_user,
    at timestamptz not null default clock_timestamp(),
    before jsonb,
    after jsonb
);

create index dead_letter_audit_dead_letter on dead_letter_audit (dead_letter);

-- Runs that re-drive many messages, in steps. Each goes through its items in order and remembers how far it came.
create table dead_letter_redrive (
    id bigint generated always as identity primary key,
    -- source: to where they came from; entity: to target; consumer: into the holds of the consumer target
    way text not null check (way in ('source', 'entity', 'consumer')),
    target text,
    items integer not null default 0,
    -- Place of the last item that was taken.
    position integer not null default 0,
    redriven integer not null default 0,
    -- The run pauses by itself after so many.
    canary integer,
    -- Most messages in a second.
    rate integer check (rate > 0),
    paced_at timestamptz not null default clock_timestamp(),
    state text not null default 'running' check (state in ('running', 'paused', 'done', 'abandoned')),
    operator text not null,
    reason text not null,
    started_at timestamptz not null default clock_timestamp(),
    changed_at timestamptz not null default clock_timestamp()
);

create table dead_letter_redrive_item (
    redrive bigint not null references dead_letter_redrive on delete cascade,
    place integer not null,
    dead_letter bigint not null,
    primary key (redrive, place)
);

-- Where relays publish to: each says so when it starts. What is re-driven to anywhere else would wait for ever.
create table outbox_destination (
    destination text primary key,
    served_at timestamptz not null default clock_timestamp()
);

-- Whose dead letters are collected, and how that goes.
create table dead_letter_entity (
    entity text not null,
    transfer boolean not null default false,
    -- Where its messages come from and are re-driven to.
    destination text not null,
    -- Whoever collects says so again before this time.
    alive_until timestamptz not null,
    collected bigint not null default 0,
    collected_at timestamptz,
    -- When nothing was left on the broker.
    drained_at timestamptz,
    failing_since timestamptz,
    failure_reason text,
    failure_description text,
    primary key (entity, transfer)
) with (fillfactor = 50);
