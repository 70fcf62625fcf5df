-- Holds: what stands still because a message could not be published or handled. One mechanism for both sides.

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
    primary key (hold_id, place),
    unique (hold_id, origin_position, origin_time)
);

comment on column held_message.time_to_live is 'milliseconds';

-- Rows find out whether they are held by where they came from.
create index held_message_origin on held_message (origin_position);

-- Destinations that refuse whatever is sent to them; seen again with each try, gone with the first success.
create table outbox_refusal (
    destination text primary key,
    reason text not null,
    description text not null,
    refused_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

-- Lanes whose owners keep dying where they stand. Written only when a lane with rows is taken over from an owner whose
-- lease ran out; of no meaning once the lane has moved on from the position.
create table outbox_suspicion (
    destination text not null,
    bucket smallint not null,
    position bigint not null,
    -- Of the owner who counted last: a lane that it adopts anew is no take-over.
    epoch bigint not null,
    takeovers integer not null,
    -- The row that is about to be sent alone; that of the last owner who died; how many have died with the same one;
    -- and those that are not sent any more.
    started bigint,
    accused bigint,
    accusations integer not null default 0,
    culprits bigint[] not null default '{}',
    primary key (destination, bucket)
) with (fillfactor = 50);

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

create or replace view outbox_message_status as
select m.*,
    case
        when exists (
            select from held_message x join hold h on h.id = x.hold_id
            where x.origin_position = m.seq and x.origin_time = m.created_at
                and h.side = 'outbox' and h.scope = m.destination) then 'held'
        when m.seq <= c.position and pg_visible_in_snapshot(m.xid, c.snapshot) then 'published'
        else 'pending'
    end as status
from outbox_message m
left join outbox_cursor c using (destination, bucket);
