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
