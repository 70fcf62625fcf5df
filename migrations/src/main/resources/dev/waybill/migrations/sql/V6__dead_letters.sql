-- Dead letters that were brought home from the broker, and what became of them.

-- What dead letters say. A row is written once, and again only when the message is edited, redacted or archived: what
-- becomes of it stands in a small row of its own, because a new version of a row of this table is a copy of the message and
-- an entry in each of its indexes.
create table dead_letter_message (
    -- CACHE 1: the order of arrival.
    id bigint generated always as identity (cache 1) primary key,
    -- 128 bits of a digest over entity, sub-queue, sequence number, enqueued time, MessageId and body: what comes twice is
    -- stored once, and a recreated entity, which starts its numbers again, loses nothing.
    key uuid not null,
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
    body_kind text not null default 'data' check (body_kind in ('data', 'text', 'value', 'sequence')),
    payload bytea not null,
    -- The body that is kept outside the message, if one is.
    claim uuid,
    -- How often the message had been re-driven when it came.
    redrives integer not null default 0,
    -- Grows with each edit; what was before is in dead_letter_version.
    version integer not null default 1,
    collected_at timestamptz not null default clock_timestamp()
);

comment on column dead_letter_message.time_to_live is 'milliseconds';

-- One index for two questions: who comes twice comes with the same id too.
create unique index dead_letter_message_key on dead_letter_message (message_id, key);
create index dead_letter_message_session on dead_letter_message (session_id) where session_id is not null;
create index dead_letter_message_claim on dead_letter_message (claim) where claim is not null;
-- Rows come in the order of this time: a few pages of index, whatever their number.
create index dead_letter_message_collected on dead_letter_message using brin (collected_at);

-- What became of each, from its arrival until its archive has run out.
--   open:        somebody has to decide
--   quarantined: re-driven too often; nothing happens to it until an operator lets it go
--   redriven:    a copy is in the outbox, or was handed to the consumer
--   discarded:   nothing more is to happen
--   archived:    the body is in the archive, until keep_until
create table dead_letter_state (
    -- Of its message. Both rows come and go in one transaction; a foreign key would ask for the message again each time.
    id bigint primary key,
    state text not null check (state in ('open', 'quarantined', 'redriven', 'discarded', 'archived')),
    changed_at timestamptz not null default clock_timestamp(),
    -- When the archive may forget it.
    keep_until timestamptz
);

create index dead_letter_state_open on dead_letter_state (id) where state in ('open', 'quarantined');
create index dead_letter_state_closed on dead_letter_state (changed_at) where state in ('redriven', 'discarded');
create index dead_letter_state_archived on dead_letter_state (keep_until) where state = 'archived';

-- Dead letters as operators see them. Who reads on behind an id names both ids: the planner does not carry a range from one
-- table to the other, and would begin at the beginning of one of them for each page.
create view dead_letter as
select m.id, m.key, m.entity, m.transfer, m.sequence_number, m.enqueued_at, m.deliveries, m.expires_at, m.source,
    m.reason, m.description, m.exception_type, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject,
    m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
    m.scheduled_enqueue_time, m.headers, m.body_kind, m.payload, m.claim, m.redrives, m.version, m.collected_at,
    s.id as state_id, s.state, s.changed_at, s.keep_until
from dead_letter_message m
join dead_letter_state s using (id);

-- What messages said before they were edited. Version 1 is what the broker gave us.
create table dead_letter_version (
    dead_letter bigint not null references dead_letter_message on delete cascade,
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
    -- All that it was done to in one transaction; none for what concerns no single message, such as an import.
    dead_letters bigint[] not null default '{}',
    redrive bigint,
    action text not null,
    operator text not null,
    reason text not null,
    database_user text not null default session_user,
    at timestamptz not null default clock_timestamp(),
    before jsonb,
    after jsonb
);

create index dead_letter_audit_dead_letters on dead_letter_audit using gin (dead_letters);

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

-- What a run goes through: dead letters in the order in which they are taken, many in each row.
create table dead_letter_redrive_page (
    redrive bigint not null references dead_letter_redrive on delete cascade,
    page integer not null,
    dead_letters bigint[] not null,
    primary key (redrive, page)
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
