-- The outbox. Rows are appended by the application's transaction, never updated, never deleted one by one:
-- whole partitions are truncated once all that is in them is published.

-- CACHE 1: a session that draws values ahead would publish them behind later ones.
create sequence outbox_message_seq as bigint cache 1;

create table outbox_message (
    -- Column order is part of the proof: defaults are evaluated from left to right, and a row's transaction id must
    -- exist before its sequence value is drawn (see the relay's invariants).
    xid xid8 not null default pg_current_xact_id(),
    seq bigint not null default nextval('outbox_message_seq'),
    destination text not null,
    -- The database derives the bucket, so that no two writers can disagree about it.
    bucket smallint not null generated always as
        ((hashtextextended(coalesce(session_id, message_id) collate "C", 0) & 31)::smallint) stored,
    -- Lengths by type: a check constraint is prepared anew for each insert, and six cost a quarter of an append.
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
    created_at timestamptz not null default clock_timestamp()
) partition by list (((seq >> 17) & 7));

comment on column outbox_message.time_to_live is 'milliseconds';
comment on column outbox_message.broker_message_id is 'MessageId on the broker when it is not message_id';

create table outbox_message_0 partition of outbox_message for values in (0);
create table outbox_message_1 partition of outbox_message for values in (1);
create table outbox_message_2 partition of outbox_message for values in (2);
create table outbox_message_3 partition of outbox_message for values in (3);
create table outbox_message_4 partition of outbox_message for values in (4);
create table outbox_message_5 partition of outbox_message for values in (5);
create table outbox_message_6 partition of outbox_message for values in (6);
create table outbox_message_7 partition of outbox_message for values in (7);

create index outbox_message_cursor on outbox_message (destination, bucket, seq);
create index outbox_message_xid on outbox_message (xid);

-- Most transactions append one row or a few. Left to guess from a table that one of them has filled, the planner would
-- search all of it for late arrivals.
alter table outbox_message_0 alter column xid set (n_distinct = -1);
alter table outbox_message_1 alter column xid set (n_distinct = -1);
alter table outbox_message_2 alter column xid set (n_distinct = -1);
alter table outbox_message_3 alter column xid set (n_distinct = -1);
alter table outbox_message_4 alter column xid set (n_distinct = -1);
alter table outbox_message_5 alter column xid set (n_distinct = -1);
alter table outbox_message_6 alter column xid set (n_distinct = -1);
alter table outbox_message_7 alter column xid set (n_distinct = -1);

-- For writers without the library. Takes the session's lock before the row's sequence value is drawn, which a plain insert
-- does not: without it, two transactions that append to one session side by side may commit in the other order.
create function outbox_append(
    destination text, session_id text, message_id text, payload bytea, subject text default null,
    content_type text default null, correlation_id text default null, headers jsonb default null)
returns void language plpgsql set search_path from current as $$
begin
    if destination = '' or session_id = '' or message_id = '' then
        raise exception 'destination, session_id and message_id must not be empty' using errcode = '22023';
    end if;
    if session_id is not null then
        perform pg_advisory_xact_lock(1463900482, hashtext(destination || chr(31) || session_id));
    end if;
    insert into outbox_message (
        destination, session_id, message_id, subject, content_type, correlation_id, headers, payload)
    values (destination, session_id, message_id, subject, content_type, correlation_id, headers, payload);
end $$;

-- One row per bucket. The epoch is the fencing token: it grows with every change of owner.
create table outbox_lease (
    bucket smallint primary key check (bucket between 0 and 31),
    owner uuid,
    epoch bigint not null default 0,
    lease_until timestamptz not null default '-infinity'
) with (fillfactor = 50);

insert into outbox_lease (bucket) select generate_series(0, 31);

-- How far each (destination, bucket) is published. Append-only and a ring too, because an updated row under an old
-- snapshot grows a chain of dead versions, and so would deleted ones. The newest (epoch, position, id) counts.
create sequence outbox_progress_seq as bigint cache 1;

create table outbox_progress (
    id bigint not null default nextval('outbox_progress_seq'),
    destination text not null,
    bucket smallint not null,
    epoch bigint not null,
    position bigint not null,
    snapshot pg_snapshot not null,
    next_xid xid8 not null,
    recorded_at timestamptz not null default clock_timestamp()
) partition by list (((id >> 13) & 3));

create table outbox_progress_0 partition of outbox_progress for values in (0);
create table outbox_progress_1 partition of outbox_progress for values in (1);
create table outbox_progress_2 partition of outbox_progress for values in (2);
create table outbox_progress_3 partition of outbox_progress for values in (3);

-- Without an index: a few ten thousand rows at most, read only at take-over and before a partition is truncated.
create view outbox_cursor as
select distinct on (destination, bucket)
    id, destination, bucket, epoch, position, snapshot, next_xid, recorded_at
from outbox_progress
order by destination, bucket, epoch desc, position desc, id desc;

-- No row carries a status: the cursor of its lane tells it.
create view outbox_message_status as
select m.*,
    case when m.seq <= c.position and pg_visible_in_snapshot(m.xid, c.snapshot) then 'published' else 'pending' end
        as status
from outbox_message m
left join outbox_cursor c using (destination, bucket);

-- What an operator has said about a destination; no row means: go on.
create table outbox_pause (
    destination text primary key,
    reason text not null,
    paused_by text not null default current_user,
    paused_at timestamptz not null default clock_timestamp()
);

create table relay_instance (
    id uuid primary key,
    name text not null,
    started_at timestamptz not null default clock_timestamp(),
    alive_until timestamptz not null
) with (fillfactor = 50);
