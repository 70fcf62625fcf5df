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
    -- What is scheduled again under its id takes the place of what waits.
    unique (destination, message_id)
);

comment on column outbox_scheduled.time_to_live is 'milliseconds';

create index outbox_scheduled_due on outbox_scheduled (destination, due_at, id);
create index outbox_scheduled_session on outbox_scheduled (destination, session_id, due_at, id);

-- Bodies that are kept outside their messages. Written in the transaction of the message, wherever the body itself is.
--   needed:    the message is not published, or not known to be
--   published: nothing in this database needs the body any more; consumers may, until the retention has passed
--   removing:  the body is being removed, and nobody may come to need it again
create table outbox_claim (
    claim uuid primary key,
    destination text not null,
    message_id varchar(128) not null,
    bytes bigint not null,
    -- Of the transaction that appended the message: its rows are found by it.
    xid xid8 not null default pg_current_xact_id(),
    state text not null default 'needed' check (state in ('needed', 'published', 'removing')),
    state_since timestamptz not null default clock_timestamp(),
    created_at timestamptz not null default clock_timestamp()
);

create index outbox_claim_needed on outbox_claim (claim) where state = 'needed';
create index outbox_claim_unneeded on outbox_claim (state, state_since) where state <> 'needed';

-- The bodies that are kept in this database.
create table outbox_claim_body (
    claim uuid primary key,
    body bytea not null
);

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
