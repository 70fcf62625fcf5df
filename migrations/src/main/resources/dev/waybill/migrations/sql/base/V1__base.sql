-- Shared by all features: the audit of operators' actions, and erasure orders.

create table operator_action (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    operator text not null,
    reason text not null,
    database_user text not null default session_user,
    action text not null,
    subject_kind text not null,
    subject text not null,
    scope text,
    before jsonb,
    after jsonb
);

create index operator_action_at on operator_action (at, id);
-- The ids of many dead letters together are too long for an index on subject itself.
create index operator_action_subject on operator_action (subject_kind, subject) where subject_kind <> 'dead-letter';
create index operator_action_dead_letter on operator_action using gin (string_to_array(subject, ' '))
    where subject_kind = 'dead-letter';

comment on table operator_action is 'what operators did; written in the transaction of the deed, and kept when its subject is gone';
comment on column operator_action.id is 'order of the deeds';
comment on column operator_action.at is 'when it was done';
comment on column operator_action.operator is 'a person or a job';
comment on column operator_action.reason is 'what the next person should know';
comment on column operator_action.database_user is 'session user of the database';
comment on column operator_action.action is 'such as release, redrive or pause';
comment on column operator_action.subject_kind is
    'outbox-hold, inbox-hold, dead-letter, destination, scheduled-message, replay or erasure-order';
comment on column operator_action.subject is
    'key of the hold, ids of dead letters with a space between them, name of the destination, id of the message or the replay, or digest of the order';
comment on column operator_action.scope is
    'destination or consumer of the hold, destination of the message or the replay, run of the re-drive, or kind of the order';
comment on column operator_action.before is 'what was changed; null: nothing to show, or erased';
comment on column operator_action.after is 'what it became; null: nothing to show, or erased';

-- Orders to erase a message or session. Every path that stores messages checks them first. The table has only digests. After a
-- restore from a backup keep its rows, because the backup brings the erased messages back.
create table erasure_order (
    -- See erasure_digest.
    digest uuid primary key,
    kind text not null check (kind in ('message', 'session')),
    -- Whether pending, scheduled and held messages are erased too.
    live boolean not null default false,
    -- Of a session, messages that were enqueued until then; later ones are new.
    applies_until timestamptz not null,
    operator text not null,
    reason text not null,
    database_user text not null default session_user,
    ordered_at timestamptz not null default clock_timestamp()
);

-- 128 bits of a digest over 'message' and a logical id, or 'session' and a session in any case.
create function erasure_digest(kind text, id text) returns uuid language sql immutable parallel safe as $$
    select pg_catalog.encode(
        pg_catalog.substring(pg_catalog.sha256(pg_catalog.convert_to(kind || ' ' ||
            case kind when 'session' then pg_catalog.lower(id collate "C") else id end, 'UTF8')), 1, 16), 'hex')::pg_catalog.uuid
$$;

-- Every transaction that stores messages calls this first, and checks the orders afterwards. An eraser commits its order and
-- then waits for running transactions (erasure_barrier), so every later one sees the order.
--
-- These functions run as the owner, because the grants of a role may be older than the tables.
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
    -- A message that moves to a hold during its erasure must not survive there.
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
    -- The audit keeps the action, but not the content of the message.
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

create trigger erasure_obeyed before insert on operator_action
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
