-- The operators' console.

create table console_session (
    token_hash bytea primary key,
    id uuid not null unique default gen_random_uuid(),
    person text not null,
    way text not null,
    proof text not null,
    created_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp(),
    ends_at timestamptz not null
);

create index console_session_person on console_session (person, created_at);

comment on table console_session is 'sessions of people in browsers; in the database, because a browser may meet another replica with each request';
comment on column console_session.token_hash is 'digest of what the browser shows, which is stored nowhere';
comment on column console_session.id is 'by which a session is ended';
comment on column console_session.person is 'who was signed in';
comment on column console_session.way is 'token, password, proxy or openid';
comment on column console_session.proof is
    'digest of what proved who it was, such as a password''s hash: the session ends when that changes. By OpenID Connect, the values of the role claim';
comment on column console_session.created_at is 'when the person was signed in';
comment on column console_session.seen_at is 'the last request';
comment on column console_session.ends_at is 'when the session ends at the latest';

create table outbox_sample (
    destination text not null,
    minute smallint not null check (minute between 0 and 59),
    at timestamptz not null,
    pending bigint not null,
    oldest_seconds double precision not null,
    primary key (destination, minute)
) with (fillfactor = 50);

comment on table outbox_sample is 'what waited in each minute of the last hour; a row is overwritten an hour later';
comment on column outbox_sample.destination is 'queue or topic';
comment on column outbox_sample.minute is 'minute of the hour, in UTC';
comment on column outbox_sample.at is 'when it was written';
comment on column outbox_sample.pending is 'messages that waited';
comment on column outbox_sample.oldest_seconds is 'age of the oldest of them';
