-- Responses to requests with idempotency keys. The keys are ids in inbox_message.

create table inbox_response (
    key uuid primary key,
    status integer not null,
    content_type text,
    body bytea not null,
    stored_at timestamptz not null default clock_timestamp(),
    request bytea
);

comment on table inbox_response is 'responses, for requests that come again';
comment on column inbox_response.key is 'as in inbox_message';
comment on column inbox_response.status is 'HTTP status';
comment on column inbox_response.content_type is 'content type of the body';
comment on column inbox_response.body is 'the body, as it was sent';
comment on column inbox_response.stored_at is 'when it was stored';
comment on column inbox_response.request is 'SHA-256 of the request; null: not known';

create table inbox_key_owner (
    name text primary key,
    registered_at timestamptz not null default clock_timestamp()
);

comment on table inbox_key_owner is 'consumers whose ids are keys of requests: only a client brings them back, so they may be forgotten after their time';
comment on column inbox_key_owner.name is 'as inbox_message.consumer';
comment on column inbox_key_owner.registered_at is 'when its first response was stored';
