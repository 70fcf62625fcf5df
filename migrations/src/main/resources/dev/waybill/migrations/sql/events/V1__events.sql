-- Holds, failures, duplicates and deferrals of messages. A message without such events writes nothing here.

create sequence message_event_seq as bigint cache 1;

comment on sequence message_event_seq is 'values of message_event.id; they also choose the partition';

-- Append-only, in a ring of partitions: message_event_trim truncates a partition before the sequence returns to it.
create table message_event (
    id bigint not null default nextval('message_event_seq'),
    at timestamptz not null default clock_timestamp(),
    -- The transaction of the event; events with equal values happened together.
    xid xid8 not null default pg_current_xact_id(),
    side text not null,
    -- The destination or the consumer.
    scope text not null,
    -- The entity of the consumer's copy, because sequence numbers and times repeat between subscriptions.
    entity text,
    event text not null,
    message_id text not null,
    session_id text,
    hold_id bigint,
    -- The message's place in the hold.
    place bigint,
    -- As in the table of held messages.
    origin_position bigint,
    origin_time timestamptz,
    deliveries bigint,
    -- The start of a state that has ended, or of the first of several events in this row.
    since timestamptz,
    due_at timestamptz,
    times integer not null default 1,
    reason text,
    description text
) partition by list (((id >> 17) & 3));

create table message_event_0 partition of message_event (primary key (id)) for values in (0);
create table message_event_1 partition of message_event (primary key (id)) for values in (1);
create table message_event_2 partition of message_event (primary key (id)) for values in (2);
create table message_event_3 partition of message_event (primary key (id)) for values in (3);

-- Hashes, because a foreign id may be too long for an index.
create index message_event_message on message_event (hashtextextended(message_id collate "C", 0));
create index message_event_session on message_event (hashtextextended(lower(session_id collate "C"), 0)) where session_id is not null;

-- The time of the last truncated event; no row if none was truncated.
create table message_event_forgotten (
    id smallint primary key default 1 check (id = 1),
    until timestamptz not null
);

-- Events only record what leaves other tables, in the transaction that removes it.
--
-- Triggers record them, so that statements need no variants. They run as the owner, because the grants of a role may be older
-- than the tables. An error is logged and ignored, so that recording an event never fails a hold. Each hold is found by its
-- key, since the planner has no statistics on transition tables.
do $do$
declare
    side text;
    scope text;
begin
    for side, scope in values ('outbox', 'destination'), ('inbox', 'consumer') loop
    execute format($create$
        create function message_event_of_%2$s() returns trigger language plpgsql security definer
            set search_path to pg_catalog, pg_temp set enable_seqscan to off
            set lock_timeout to '50ms' as $$
        begin
            case tg_argv[0]
            -- The first message of a hold is its cause.
            when 'held' then
                insert into %1$I.message_event (
                    side, scope, event, message_id, session_id, hold_id, place, origin_position, origin_time,
                    deliveries, at, due_at, reason, description)
                select '%2$s', h.%3$I, 'held', m.message_id, m.session_id, h.id, m.place, m.origin_position, m.origin_time,
                    m.deliveries, m.added_at,
                    case h.state when 'retrying' then h.due_at end, h.reason, left(h.description, 2000)
                from (select distinct on (hold_id) * from moved order by hold_id, place) m
                cross join lateral (select * from %1$I.%2$s_hold o where o.id = m.hold_id limit 1) h
                where m.place = (select min(f.place) from %1$I.%2$s_held_message f where f.hold_id = m.hold_id);
            -- Published or handled, skipped, or moved: other rows of the transaction show which.
            when 'left' then
                insert into %1$I.message_event (
                    side, scope, event, message_id, session_id, hold_id, place, origin_position, origin_time,
                    deliveries, since)
                select '%2$s', h.%3$I, 'left', m.message_id, m.session_id, h.id, m.place, m.origin_position, m.origin_time,
                    m.deliveries, m.added_at
                from moved m cross join lateral (select * from %1$I.%2$s_hold o where o.id = m.hold_id limit 1) h
                order by m.place;
            -- An attempt at the first message of a hold has failed, or ended without a result before another began or an
            -- operator acted.
            when 'tried' then
                insert into %1$I.message_event (
                    side, scope, event, message_id, session_id, hold_id, place, origin_position, origin_time,
                    deliveries, since, due_at, times, reason, description)
                select '%2$s', new.%3$I,
                    case
                        when new.times_parked > old.times_parked then 'parked'
                        when new.attempt_token is not null or new.due_at = old.due_at then 'lost'
                        else 'failed'
                    end,
                    m.message_id, m.session_id, new.id, m.place, m.origin_position, m.origin_time,
                    m.deliveries, old.attempted_at, case new.state when 'retrying' then new.due_at end,
                    greatest(old.attempts, 1), new.reason, left(new.description, 2000)
                from %1$I.%2$s_held_message m
                where m.hold_id = new.id
                order by m.place
                limit 1;
            end case;
            return null;
        exception when others then
            raise warning 'An event of a message could not be recorded: %%', sqlerrm;
            return null;
        end $$
        $create$, current_schema(), side, scope);
    end loop;
    execute format($create$
        create function message_event_of_deferral() returns trigger language plpgsql security definer
            set search_path to pg_catalog, pg_temp set lock_timeout to '50ms' as $$
        begin
            insert into %1$I.message_event (
                side, scope, event, message_id, session_id, hold_id, origin_position, origin_time, since, due_at, reason)
            values (
                'inbox', old.consumer, 'deferred', old.message_id, old.session_id, old.hold_id, old.sequence_number,
                old.enqueued_at, old.deferred_at, old.resume_at, old.defer_key);
            return null;
        exception when others then
            raise warning 'An event of a message could not be recorded: %%', sqlerrm;
            return null;
        end $$
        $create$, current_schema());
    -- Erased messages leave no event.
    execute format($create$
        create function erasure_obeyed_by_event() returns trigger language plpgsql security definer
            set search_path to pg_catalog, pg_temp set lock_timeout to '50ms' as $$
        begin
            if %1$I.erasure_gate() and exists (
                select from %1$I.erasure_order o
                where coalesce(new.origin_time, new.at) <= o.applies_until
                    and o.digest in (
                        %1$I.erasure_digest('message', new.message_id), %1$I.erasure_digest('session', new.session_id)))
            then
                return null;
            end if;
            return new;
        end $$
        $create$, current_schema());
    -- Truncates the next partition, so that there is always an empty one after the current one, and partitions older than four
    -- weeks. A partition is current for a week at most. Skips partitions in use. Returns the number of truncated partitions.
    -- Runs as the owner, for relays and consumers.
    execute format($create$
        create function message_event_trim() returns integer language plpgsql security definer
            set search_path to pg_catalog, pg_temp set lock_timeout to '50ms' as $$
        declare
            last bigint;
            slot bigint;
            oldest timestamptz;
            newest timestamptz;
            emptied integer := 0;
        begin
            if not pg_try_advisory_xact_lock(1463900486, hashtext('%1$I')) then
                return 0;
            end if;
            last := coalesce(pg_sequence_last_value('%1$I.message_event_seq'), 0);
            slot := (last >> 17) & 3;
            execute format('select at from %1$I.message_event_%%s order by id limit 1', slot) into oldest;
            if oldest < clock_timestamp() - interval '7 days' then
                last := ((last >> 17) + 1) << 17;
                slot := (last >> 17) & 3;
                perform setval('%1$I.message_event_seq', last);
            end if;
            for other in 0..3 loop
                execute format('select at from %1$I.message_event_%%s order by id limit 1', other) into oldest;
                if oldest is not null and other <> slot
                    and (other = (slot + 1) & 3 or oldest < clock_timestamp() - interval '28 days')
                then
                    begin
                        execute format('lock table %1$I.message_event_%%s in access exclusive mode', other);
                        execute format('select max(at) from %1$I.message_event_%%s', other) into newest;
                        execute format('truncate %1$I.message_event_%%s', other);
                        insert into %1$I.message_event_forgotten as f (until) values (newest)
                        on conflict (id) do update set until = greatest(f.until, excluded.until);
                        emptied := emptied + 1;
                    exception when lock_not_available then
                        null;
                    end;
                end if;
            end loop;
            return emptied;
        end $$
        $create$, current_schema());
end $do$;

create trigger erasure_obeyed before insert on message_event
    for each row execute function erasure_obeyed_by_event();
create trigger message_event_held after insert on outbox_held_message referencing new table as moved
    for each statement execute function message_event_of_outbox('held');
create trigger message_event_left after delete on outbox_held_message referencing old table as moved
    for each statement execute function message_event_of_outbox('left');
create trigger message_event_held after insert on inbox_held_message referencing new table as moved
    for each statement execute function message_event_of_inbox('held');
create trigger message_event_left after delete on inbox_held_message referencing old table as moved
    for each statement execute function message_event_of_inbox('left');
-- An update that keeps the attempt concerns another message. A returned attempt schedules the next one and does not count; one
-- that ends before an edit schedules none.
create trigger message_event_tried after update on outbox_hold for each row
    when (old.attempt_token is not null and new.attempt_token is distinct from old.attempt_token
        and (new.attempt_token is not null
            or new.times_parked > old.times_parked
            or new.due_at = old.due_at
            or new.attempts >= greatest(old.attempts, 1)
            or (new.reason, new.description) is distinct from (old.reason, old.description)))
    execute function message_event_of_outbox('tried');
create trigger message_event_tried after update on inbox_hold for each row
    when (old.attempt_token is not null and new.attempt_token is distinct from old.attempt_token
        and (new.attempt_token is not null
            or new.times_parked > old.times_parked
            or new.due_at = old.due_at
            or new.attempts >= greatest(old.attempts, 1)
            or (new.reason, new.description) is distinct from (old.reason, old.description)))
    execute function message_event_of_inbox('tried');
create trigger message_event_deferred after delete on inbox_deferral
    for each row execute function message_event_of_deferral();
create trigger message_event_deferred_again after update on inbox_deferral for each row
    when (new.deferred_at is distinct from old.deferred_at)
    execute function message_event_of_deferral();

comment on table message_event is 'what happened to messages in holds and to messages that failed; a ring of partitions, emptied by message_event_trim';
comment on column message_event.id is 'order of the events';
comment on column message_event.at is 'when it happened';
comment on column message_event.xid is 'the transaction of the change; events with the same one happened at once';
comment on column message_event.side is 'outbox or inbox';
comment on column message_event.scope is 'the destination or the consumer';
comment on column message_event.entity is 'where a consumer met the copy: numbers and times repeat between subscriptions';
comment on column message_event.event is 'held, parked, failed, lost or left of a hold; deferred; failed, duplicate, dead-lettered, abandoned or dropped by a consumer';
comment on column message_event.message_id is 'logical id of the message';
comment on column message_event.session_id is 'session of the message';
comment on column message_event.hold_id is 'the hold';
comment on column message_event.place is 'of the message in the hold';
comment on column message_event.origin_position is 'sequence value of the outbox row, or sequence number on the broker';
comment on column message_event.origin_time is 'creation of the outbox row, or enqueued time on the broker';
comment on column message_event.deliveries is 'delivery count on the broker';
comment on column message_event.since is 'when that had begun which has ended now, or the first of several that are told in one row';
comment on column message_event.due_at is 'when the next attempt is due';
comment on column message_event.times is 'how many events this row stands for';
comment on column message_event.reason is 'name of the cause';
comment on column message_event.description is 'the cause';

comment on table message_event_forgotten is 'one row: when the last of the events happened that were emptied; no row: none were';
comment on column message_event_forgotten.id is 'always 1';
comment on column message_event_forgotten.until is 'time of the last event that was emptied';
