-- What all features share: holds, the audit of operators, and orders to forget.

-- One row per held session, or per single message that is held while its session goes on or that has none.
-- Whoever changes a hold or its messages locks its row first.
create table hold (
    id bigint generated always as identity primary key,
    side text not null check (side in ('outbox', 'inbox')),
    -- The destination of an outbox hold, the consumer of an inbox hold.
    scope text not null check (scope <> ''),
    session_id text,
    -- Null: the whole session is held.
    message_id text,
    -- A length in front of the session's name, so that no session can be taken for a message nor the reverse.
    key text not null generated always as
        (coalesce(length(session_id)::text || ':' || session_id, '-') || coalesce('/' || message_id, '')) stored,
    -- The same bucket as the messages' own, so that their owner is the hold's.
    bucket smallint not null generated always as
        ((hashtextextended(coalesce(session_id, message_id) collate "C", 0) & 31)::smallint) stored,
    state text not null check (state in ('retrying', 'parked')),
    due_at timestamptz not null default clock_timestamp(),
    reason text not null,
    description text not null default '',
    -- Attempts at the first message that were begun and not refuted by an outage.
    attempts integer not null default 0,
    times_parked integer not null default 0,
    -- Set while somebody publishes or handles the messages, who must name the token to say what came of it.
    attempt_token uuid,
    attempt_until timestamptz,
    attempted_at timestamptz,
    held_at timestamptz not null default clock_timestamp(),
    changed_at timestamptz not null default clock_timestamp(),
    unique (side, scope, key),
    check (session_id is not null or message_id is not null)
);

create index hold_lane on hold (side, scope, bucket);
create index hold_due on hold (side, scope, bucket, due_at) where state = 'retrying';

-- Due first, without sorting all that are due.
create index hold_due_first on hold (side, scope, due_at, id) where state = 'retrying';

-- Everything that is needed to publish or handle a message later as if it had not been held.
create table held_message (
    hold_id bigint not null references hold on delete cascade,
    -- Order inside the hold. CACHE 1: see outbox_message_seq.
    place bigint generated always as identity (cache 1),
    -- Where it came from: sequence value and creation of the outbox row, or sequence number and enqueued time on the
    -- broker. What is added twice is held once.
    origin_position bigint not null,
    origin_time timestamptz not null,
    deliveries bigint not null default 0,
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
    payload bytea not null,
    dead_letter bigint,
    added_at timestamptz default clock_timestamp(),
    primary key (hold_id, place)
);

comment on column held_message.time_to_live is 'milliseconds';

-- A dead letter is in a hold once. Other messages are told apart by their id too: two entities count alike, and may give the
-- same number in the same millisecond. A hash of the id, because a foreign id may be too long for an index.
create unique index held_message_dead_letter on held_message (hold_id, dead_letter) where dead_letter is not null;
create unique index held_message_place on held_message (
    hold_id, origin_position, origin_time, hashtextextended(message_id collate "C", 0)) where dead_letter is null;

-- Rows find out whether they are held by where they came from.
create index held_message_origin on held_message (origin_position);

-- Who searches for a message asks holds, too. A hash, because a foreign id may be too long for an index.
create index held_message_id on held_message (hashtextextended(message_id collate "C", 0));

-- What operators did. Outlives the hold.
create table hold_audit (
    id bigint generated always as identity primary key,
    side text not null,
    scope text not null,
    key text not null,
    action text not null,
    operator text not null,
    reason text not null,
    database_user text not null default session_user,
    at timestamptz not null default clock_timestamp(),
    before jsonb,
    after jsonb
);

create index hold_audit_key on hold_audit (side, scope, key);

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

-- The audit is read from its newest end.
create index hold_audit_at on hold_audit (at, id);
create index dead_letter_audit_at on dead_letter_audit (at, id);
create index outbox_pause_audit_at on outbox_pause_audit (at, id);
create index outbox_scheduled_audit_at on outbox_scheduled_audit (at, id);
create index outbox_scheduled_audit_message on outbox_scheduled_audit (message_id);

-- Orders to forget a message or a session: every path that stores messages asks here first. Only digests, so that the table
-- says nothing itself. Keep it when a backup is restored: the messages that it names come back with the backup.
create table erasure_order (
    -- See erasure_digest.
    digest uuid primary key,
    kind text not null check (kind in ('message', 'session')),
    -- Also what is pending, scheduled or held.
    live boolean not null default false,
    -- Of a session, what was enqueued by then; what comes later is new.
    applies_until timestamptz not null,
    operator text not null,
    reason text not null,
    database_user text not null default session_user,
    ordered_at timestamptz not null default clock_timestamp()
);

-- 128 bits of a digest over 'message' and a logical id, or 'session' and a session.
create function erasure_digest(kind text, id text) returns uuid language sql immutable parallel safe as $$
    select pg_catalog.encode(
        pg_catalog.substring(pg_catalog.sha256(pg_catalog.convert_to(kind || ' ' || id, 'UTF8')), 1, 16), 'hex')::pg_catalog.uuid
$$;

-- Every transaction that stores messages passes here first, and asks for orders afterwards. An eraser waits for those inside
-- (erasure_barrier) once its order is committed: after that, nobody is left who could not see it.
--
-- These run as the owner: the grants of a role may be older than the tables.
do $do$ begin
    execute format($create$
        create function erasure_gate() returns boolean language plpgsql security definer
            set search_path to pg_catalog, pg_temp as $$
        begin
            perform pg_advisory_xact_lock_shared(1463900485, hashtext('%1$I'));
            return exists (select from %1$I.erasure_order);
        end $$
        $create$, current_schema());
    execute format($create$
        create function erasure_barrier() returns void language sql security definer
            set search_path to pg_catalog, pg_temp as $$
            select pg_advisory_xact_lock(1463900485, hashtext('%1$I'))
        $$
        $create$, current_schema());
    -- A message that is moved into a hold while it is being erased is not brought back by it.
    execute format($create$
        create function erasure_obeyed_by_hold() returns trigger language plpgsql security definer
            set search_path to pg_catalog, pg_temp as $$
        begin
            if %1$I.erasure_gate() and exists (
                select from %1$I.erasure_order o
                where o.live and new.origin_time <= o.applies_until
                    and o.digest in (
                        %1$I.erasure_digest('message', new.message_id), %1$I.erasure_digest('session', new.session_id)))
            then
                return null;
            end if;
            return new;
        end $$
        $create$, current_schema());
    -- That something was done is kept, and not what the message said.
    execute format($create$
        create function erasure_obeyed_by_audit() returns trigger language plpgsql security definer
            set search_path to pg_catalog, pg_temp as $$
        declare
            content jsonb := coalesce(new.before, new.after);
        begin
            if content is not null and %1$I.erasure_gate() and exists (
                select from %1$I.erasure_order o
                where coalesce((content ->> 'origin_time')::timestamptz, (content ->> 'held_at')::timestamptz, new.at)
                        <= o.applies_until
                    and o.digest in (
                        %1$I.erasure_digest('message', content ->> 'message_id'),
                        %1$I.erasure_digest('session', content ->> 'session_id')))
            then
                new.before := null;
                new.after := null;
            end if;
            return new;
        end $$
        $create$, current_schema());
end $do$;

create trigger erasure_obeyed before insert on held_message
    for each row execute function erasure_obeyed_by_hold();
create trigger erasure_obeyed before insert on hold_audit
    for each row execute function erasure_obeyed_by_audit();

comment on table erasure_order is 'orders to forget a message or a session: every path that stores messages asks here first. Keep it when a backup is restored';
comment on column erasure_order.digest is 'see erasure_digest: only digests, so that the table says nothing itself';
comment on column erasure_order.kind is 'message or session';
comment on column erasure_order.live is 'also messages that are pending, scheduled or held';
comment on column erasure_order.applies_until is 'of a session, messages that were enqueued by then; later ones are new';
comment on column erasure_order.operator is 'who ordered it';
comment on column erasure_order.reason is 'why';
comment on column erasure_order.database_user is 'session user of the database';
comment on column erasure_order.ordered_at is 'when it was ordered';
