-- Deferrals that no resume misses, starts that end with their message, and idempotency keys with an owner.

-- A key that somebody has resumed. Kept for a while, for the attempts that cannot have seen it and defer all the same.
create table inbox_resumption (
    id bigint generated always as identity primary key,
    -- 128 bits of a digest over consumer and key.
    key uuid not null,
    -- Whoever asks whether an attempt has seen it, asks for this.
    resumed_by xid8 not null default pg_current_xact_id(),
    consumer text not null,
    resumed_at timestamptz not null default clock_timestamp(),
    -- When a consumer has met it first, and resumed what it found: no earlier than its commit, of which nothing else tells.
    seen_at timestamptz
);

-- Not unique, so that nobody who resumes waits for anybody else who does.
create index inbox_resumption_key on inbox_resumption (key);
create index inbox_resumption_seen on inbox_resumption (consumer, seen_at);

-- A message that was deferred out of a hold waits there, and its deferral ends with the hold.
alter table inbox_deferral
    add column resume_key uuid,
    add column hold_id bigint references hold on delete cascade,
    -- Set when it is about to leave the broker by a verdict that is not done: when nobody has it in hand any more.
    add column gone_by timestamptz;

create index inbox_deferral_resume_key on inbox_deferral (resume_key);
create index inbox_deferral_hold on inbox_deferral (hold_id) where hold_id is not null;

comment on column inbox_deferral.resume_key is 'key of the inbox_resumption that resumes it';
comment on column inbox_deferral.hold_id is 'the hold in which it waits; null if it is deferred on the broker';

-- Counters hold digests. A start is counted for one copy of a message, so that a re-driven copy begins at none.
alter table inbox_start alter column message_id drop not null;
update inbox_start set message_id = null;
delete from inbox_session;

comment on column inbox_start.key is 'digest over consumer, logical id, sequence number and enqueued time';
comment on column inbox_start.message_id is 'not written any more';
comment on column inbox_session.session_id is 'digest of the session''s name';

-- Whose ids are keys of requests, which nothing brings back but a client: they may be forgotten at any time after their own.
create table inbox_key_owner (
    name text primary key,
    registered_at timestamptz not null default clock_timestamp()
);

alter table inbox_response add column request bytea;

comment on column inbox_response.request is 'SHA-256 of the request; null if it is not known';
