-- What a consumer remembers beside the inbox: messages in trouble and sessions in trouble. Rows are few; most messages
-- never have one.

-- A message that was delivered before: how often its handling has begun since without coming to an end of any kind. A
-- message that kills its process is known by it.
create table inbox_start (
    key uuid primary key,
    consumer text not null,
    message_id text not null,
    starts integer not null,
    started_at timestamptz not null default clock_timestamp()
);

-- A session that was given back with its first message unsettled. The broker does not count that as a failed delivery.
create table inbox_session (
    consumer text not null,
    entity text not null,
    session_id text not null,
    -- The message that would not be done; another one begins a new count.
    message_key uuid not null,
    closes integer not null,
    closed_at timestamptz not null default clock_timestamp(),
    primary key (consumer, entity, session_id)
);

-- What was answered when an id was recorded, for requests that come again.
create table inbox_response (
    key uuid primary key,
    status integer not null,
    content_type text,
    body bytea not null,
    stored_at timestamptz not null default clock_timestamp()
);

-- Messages that lie deferred on the broker, where only their sequence number finds them.
create table inbox_deferral (
    -- As in inbox_message.
    key uuid primary key,
    consumer text not null,
    message_id text not null,
    -- By which the application resumes it.
    defer_key text not null,
    session_id text,
    sequence_number bigint not null,
    enqueued_at timestamptz not null,
    deferred_at timestamptz not null default clock_timestamp(),
    -- Null until somebody wants it back.
    resume_at timestamptz,
    tries integer not null default 0
);

create index inbox_deferral_defer_key on inbox_deferral (consumer, defer_key);
create index inbox_deferral_resume on inbox_deferral (consumer, resume_at) where resume_at is not null;

-- What a consumer knows of each session, changed in the transactions of its messages.
create table inbox_state (
    consumer text not null,
    session_id text not null,
    version bigint not null,
    state bytea not null,
    changed_at timestamptz not null default clock_timestamp(),
    primary key (consumer, session_id)
);

-- Consumers at work. One that has not said goodbye was killed, perhaps by the message it had in hand.
create table inbox_instance (
    id uuid primary key,
    consumer text not null,
    started_at timestamptz not null default clock_timestamp(),
    alive_until timestamptz not null
) with (fillfactor = 50);

-- Since when each consumer has been at work without a longer pause. Ids are removed only where that was long enough.
create table inbox_consumer (
    name text primary key,
    alive_since timestamptz not null default clock_timestamp(),
    alive_until timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
