-- The operators' console, and who paused a destination or let it go on.

-- Sessions of people in browsers. Here, because relays are replicas: a browser may meet another one with each request.
create table console_session (
    -- Of what the browser has to show; that itself is nowhere.
    token_hash bytea primary key,
    id uuid not null unique default gen_random_uuid(),
    person text not null,
    way text not null,
    -- A digest of what proved who it was, as of a password's hash: the session ends when that is another one. By OpenID
    -- Connect, the values of the role claim.
    proof text not null,
    created_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp(),
    ends_at timestamptz not null
);

comment on column console_session.way is 'token, password, proxy or openid';

create index console_session_person on console_session (person, created_at);

-- Append-only. outbox_pause tells only of pauses that still stand, and nothing of their end.
create table outbox_pause_audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    destination text not null,
    action text not null,
    operator text not null,
    reason text not null,
    database_user text not null default session_user
);

comment on column outbox_pause_audit.action is 'pause or resume';

-- Append-only. Messages that an operator has taken back before their time; those that applications take back are not here.
create table outbox_scheduled_audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    destination text not null,
    message_id varchar(128) not null,
    due_at timestamptz not null,
    operator text not null,
    reason text not null,
    database_user text not null default session_user
);

-- By whom a replay was ended before it was done, and why. Null: by a program, or a version before.
alter table outbox_replay
    add column abandoned_by text,
    add column abandoned_because text,
    add column abandoned_as text;

-- The audit is read from its newest end.
create index hold_audit_at on hold_audit (at, id);
create index dead_letter_audit_at on dead_letter_audit (at, id);
create index outbox_pause_audit_at on outbox_pause_audit (at, id);
create index outbox_scheduled_audit_at on outbox_scheduled_audit (at, id);
create index outbox_scheduled_audit_message on outbox_scheduled_audit (message_id);

-- Who searches for a message asks holds, too. A hash, because a foreign id may be too long for an index.
create index held_message_id on held_message (hashtextextended(message_id collate "C", 0));

-- What waited in each minute of the last hour. A row is written over an hour later, so the table does not grow.
create table outbox_sample (
    destination text not null,
    minute smallint not null check (minute between 0 and 59),
    at timestamptz not null,
    pending bigint not null,
    oldest_seconds double precision not null,
    primary key (destination, minute)
) with (fillfactor = 50);

comment on column outbox_sample.minute is 'of the hour, in UTC';
