-- Dead letters, second edition: a re-drive to a consumer is told apart by its dead letter, second re-drives keep the order of
-- the first enqueueing, what was emptied is not sent, and what was erased stays erased.

-- The dead letter that a held message is, if a re-drive brought it.
alter table held_message add column dead_letter bigint;

-- A dead letter is in a hold once. Other messages are told apart by their id too: two entities count alike, and may give the
-- same number in the same millisecond. A hash of the id, because a foreign id may be too long for an index.
alter table held_message drop constraint held_message_hold_id_origin_position_origin_time_key;
create unique index held_message_dead_letter on held_message (hold_id, dead_letter) where dead_letter is not null;
create unique index held_message_place on held_message (
    hold_id, origin_position, origin_time, hashtextextended(message_id collate "C", 0)) where dead_letter is null;

-- Where the message stood when it was enqueued for the first time, if that was before its last re-drive.
alter table dead_letter_message add column first_enqueued_at timestamptz;
alter table dead_letter_message add column first_sequence_number bigint;
-- Why there is nothing left to send, if there is nothing: 'redacted', or 'without-body' for what was imported so.
alter table dead_letter_message add column emptied text;

-- Those that are here already tell of it in their history. If it cannot be read they stay without.
do $do$
declare
    letter record;
begin
    for letter in select id, headers from dead_letter_message where redrives > 0 loop
        begin
            update dead_letter_message
            set first_enqueued_at = (((letter.headers::jsonb ->> 'waybill-history')::jsonb -> 0) ->> 'enqueued')::timestamptz
            where id = letter.id;
        exception when data_exception then
            null;
        end;
    end loop;
end $do$;

create or replace view dead_letter as
select m.id, m.key, m.entity, m.transfer, m.sequence_number, m.enqueued_at, m.deliveries, m.expires_at, m.source,
    m.reason, m.description, m.exception_type, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject,
    m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
    m.scheduled_enqueue_time, m.headers, m.body_kind, m.payload, m.claim, m.redrives, m.version, m.collected_at,
    s.id as state_id, s.state, s.changed_at, s.keep_until,
    m.first_enqueued_at, m.first_sequence_number, m.emptied
from dead_letter_message m
join dead_letter_state s using (id);

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
