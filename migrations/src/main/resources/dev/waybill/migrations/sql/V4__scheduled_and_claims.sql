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
