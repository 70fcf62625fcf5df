-- Published messages for replays and traces. The settle moves them here instead of only deleting them.

-- A partition for each day, in rotation: a truncate removes a day, instead of row by row.
create table outbox_published (
    slot smallint not null default extract(epoch from clock_timestamp())::bigint / 86400 % 16,
    published_at timestamptz not null default clock_timestamp(),
    seq bigint not null,
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
    created_at timestamptz not null,
    -- A message that was sent again after a crash is stored once.
    primary key (destination, seq, message_id, slot)
) partition by list (slot);

create table outbox_published_0 partition of outbox_published for values in (0);
create table outbox_published_1 partition of outbox_published for values in (1);
create table outbox_published_2 partition of outbox_published for values in (2);
create table outbox_published_3 partition of outbox_published for values in (3);
create table outbox_published_4 partition of outbox_published for values in (4);
create table outbox_published_5 partition of outbox_published for values in (5);
create table outbox_published_6 partition of outbox_published for values in (6);
create table outbox_published_7 partition of outbox_published for values in (7);
create table outbox_published_8 partition of outbox_published for values in (8);
create table outbox_published_9 partition of outbox_published for values in (9);
create table outbox_published_10 partition of outbox_published for values in (10);
create table outbox_published_11 partition of outbox_published for values in (11);
create table outbox_published_12 partition of outbox_published for values in (12);
create table outbox_published_13 partition of outbox_published for values in (13);
create table outbox_published_14 partition of outbox_published for values in (14);
create table outbox_published_15 partition of outbox_published for values in (15);

-- For searches by message.
create index outbox_published_message on outbox_published (hashtextextended(message_id collate "C", 0));

-- Truncates expired days without messages of other destinations, which have times of their own; after 15 days, any. Runs as the owner,
-- because no other role may truncate.
do $do$ begin
    execute format($create$
        create function outbox_published_trim(keep interval, destinations text[]) returns integer language plpgsql security definer
            set search_path to pg_catalog, pg_temp as $$
        declare
            today bigint := extract(epoch from clock_timestamp())::bigint / 86400;
            days bigint := least(15, ceil(extract(epoch from keep) / 86400));
            emptied integer := 0;
            used boolean;
        begin
            perform set_config('lock_timeout', '250ms', true);
            for age in days + 1 .. 15 loop
                execute format($query$
                    with recursive known as (
                        (select destination from %1$I.outbox_published_%%1$s order by destination limit 1)
                        union all
                        select (select m.destination from %1$I.outbox_published_%%1$s m where m.destination > known.destination
                                order by m.destination limit 1)
                        from known where known.destination is not null
                    )
                    select count(*) > 0 and ($2 or bool_and(destination = any($1)))
                    from known where destination is not null
                    $query$, (today - age) %% 16) into used using destinations, age = 15;
                if used then
                    execute format('truncate %1$I.outbox_published_%%s', (today - age) %% 16);
                    emptied := emptied + 1;
                end if;
            end loop;
            return emptied;
        end $$
        $create$, current_schema());
end $do$;

-- Runs that append published messages again. Each processes its rows in order and records its position.
create table outbox_replay (
    id uuid primary key,
    destination text not null,
    session_id varchar(128),
    created_from timestamptz not null,
    created_until timestamptz not null,
    position bigint not null,
    last_seq bigint not null,
    replayed bigint not null default 0,
    state text not null default 'running' check (state in ('running', 'done', 'abandoned')),
    reason text not null,
    started_by text not null default session_user,
    started_at timestamptz not null default clock_timestamp(),
    changed_at timestamptz not null default clock_timestamp()
);

comment on table outbox_published is 'published messages, kept as long as relays are set to retain them';
comment on column outbox_published.slot is 'day of the publication, modulo 16: the partition';
comment on column outbox_published.published_at is 'when the relay deleted the message from the outbox, because the broker had it';
comment on column outbox_published.seq is 'the value that the row had in outbox_message';
comment on column outbox_published.destination is 'queue or topic, or the name that stands for it';
comment on column outbox_published.message_id is 'the logical id of the message';
comment on column outbox_published.session_id is 'messages of one session are published in order; null: no order';
comment on column outbox_published.broker_message_id is 'MessageId on the broker when it is not message_id';
comment on column outbox_published.partition_key is 'PartitionKey on the broker';
comment on column outbox_published.subject is 'Subject on the broker';
comment on column outbox_published.content_type is 'ContentType on the broker';
comment on column outbox_published.correlation_id is 'CorrelationId on the broker';
comment on column outbox_published.to_address is 'To on the broker';
comment on column outbox_published.reply_to is 'ReplyTo on the broker';
comment on column outbox_published.reply_to_session_id is 'ReplyToSessionId on the broker';
comment on column outbox_published.time_to_live is 'TimeToLive on the broker, in milliseconds';
comment on column outbox_published.scheduled_enqueue_time is 'ScheduledEnqueueTime: the broker keeps the message until then';
comment on column outbox_published.headers is 'application properties, as a JSON object';
comment on column outbox_published.payload is 'the body, as it is published';
comment on column outbox_published.created_at is 'when the row was written';
comment on table outbox_replay is 'runs that append published messages once more';
comment on column outbox_replay.id is 'names the run';
comment on column outbox_replay.destination is 'the destination whose messages are appended again';
comment on column outbox_replay.session_id is 'only messages of this session; null: of all';
comment on column outbox_replay.created_from is 'only messages that were written at this time or later';
comment on column outbox_replay.created_until is 'only messages that were written before this time';
comment on column outbox_replay.replayed is 'messages that were appended again so far';
comment on column outbox_replay.reason is 'why it was started';
comment on column outbox_replay.started_by is 'session user of the database';
comment on column outbox_replay.started_at is 'when it was started';
comment on column outbox_replay.changed_at is 'when it moved on last';
comment on column outbox_replay.position is 'rows up to here are appended again, or were not chosen';
comment on column outbox_replay.last_seq is 'the last value of the run: later messages never belong to it';
comment on column outbox_replay.state is 'running until it is done or abandoned';
