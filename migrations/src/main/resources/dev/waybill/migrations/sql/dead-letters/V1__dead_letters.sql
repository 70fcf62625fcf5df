-- Dead letters that were collected from the broker, and their states.

-- The contents of dead letters. A row changes only if its message is edited, redacted or archived. Its state is in a small row
-- of its own, because an update here copies the whole message and an entry in each index.
create table dead_letter_message (
    -- CACHE 1: ids follow the order of arrival.
    id bigint generated always as identity (cache 1) primary key,
    -- 128 bits of a digest of entity, sub-queue, sequence number, enqueued time, MessageId and body. A repeat is stored once; a
    -- recreated entity, which starts its numbers again, loses nothing.
    key uuid not null,
    -- Path of the queue or subscription.
    entity text not null,
    transfer boolean not null default false,
    sequence_number bigint not null,
    enqueued_at timestamptz not null,
    deliveries bigint not null default 0,
    expires_at timestamptz,
    -- The entity from which dead letters were forwarded.
    source text,
    reason text not null default '',
    description text not null default '',
    exception_type text,
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
    -- JSON as text, because jsonb rejects characters that foreign producers may send.
    headers text,
    body_kind text not null default 'data' check (body_kind in ('data', 'text', 'value', 'sequence')),
    payload bytea not null,
    -- The body outside the message, if any.
    claim uuid,
    -- The number of re-drives before it arrived.
    redrives integer not null default 0,
    -- Grows with each edit; dead_letter_version has earlier versions.
    version integer not null default 1,
    collected_at timestamptz not null default clock_timestamp(),
    first_enqueued_at timestamptz,
    first_sequence_number bigint,
    emptied text
);

-- One index for two queries, because a repeat has the same id too.
create unique index dead_letter_message_key on dead_letter_message (message_id, key);
create index dead_letter_message_session on dead_letter_message (lower(session_id collate "C")) where session_id is not null;
create index dead_letter_message_claim on dead_letter_message (claim) where claim is not null;
-- A block-range index, because rows arrive in the order of this time.
create index dead_letter_message_collected on dead_letter_message using brin (collected_at);

-- The state of each dead letter, until its archive expires.
--   open:        an operator must decide
--   quarantined: re-driven too often; waits until an operator releases it
--   redriven:    a copy is in the outbox, or went to the consumer
--   discarded:   final
--   archived:    the body is in the archive, until keep_until
create table dead_letter_state (
    -- The message's id. Both rows are inserted and deleted in one transaction; a foreign key would check the message each time.
    id bigint primary key,
    state text not null check (state in ('open', 'quarantined', 'redriven', 'discarded', 'archived')),
    changed_at timestamptz not null default clock_timestamp(),
    -- When the archive may delete it.
    keep_until timestamptz
);

create index dead_letter_state_open on dead_letter_state (id) where state in ('open', 'quarantined');
create index dead_letter_state_closed on dead_letter_state (changed_at) where state in ('redriven', 'discarded');
create index dead_letter_state_archived on dead_letter_state (keep_until) where state = 'archived';

-- Dead letters for operators. A query for the next page must name both ids: the planner does not carry a range from one table
-- to the other, and would scan one of them from its start.
create view dead_letter as
select m.id, m.key, m.entity, m.transfer, m.sequence_number, m.enqueued_at, m.deliveries, m.expires_at, m.source,
    m.reason, m.description, m.exception_type, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject,
    m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
    m.scheduled_enqueue_time, m.headers, m.body_kind, m.payload, m.claim, m.redrives, m.version, m.collected_at,
    s.id as state_id, s.state, s.changed_at, s.keep_until,
    m.first_enqueued_at, m.first_sequence_number, m.emptied
from dead_letter_message m
join dead_letter_state s using (id);

-- Contents before edits. Version 1 came from the broker.
create table dead_letter_version (
    dead_letter bigint not null references dead_letter_message on delete cascade,
    version integer not null,
    session_id text,
    partition_key text,
    subject text,
    content_type text,
    correlation_id text,
    to_address text,
    reply_to text,
    reply_to_session_id text,
    time_to_live bigint,
    headers text,
    body_kind text not null,
    payload bytea not null,
    replaced_at timestamptz not null default clock_timestamp(),
    primary key (dead_letter, version)
);

-- The archive in this database: whole messages as lines of JSON.
create table dead_letter_archive (
    id bigint primary key,
    document text not null,
    stored_at timestamptz not null default clock_timestamp()
);

-- Runs that re-drive many messages in steps. Each processes its items in order and records its position.
create table dead_letter_redrive (
    id bigint generated always as identity primary key,
    -- source: to the entity of origin; entity: to target; consumer: into the holds of the consumer target
    way text not null check (way in ('source', 'entity', 'consumer')),
    target text,
    items integer not null default 0,
    -- Place of the last processed item.
    position integer not null default 0,
    redriven integer not null default 0,
    -- The run pauses after this number of messages.
    canary integer,
    -- Most messages per second.
    rate integer check (rate > 0),
    paced_at timestamptz not null default clock_timestamp(),
    state text not null default 'running' check (state in ('running', 'paused', 'done', 'abandoned')),
    operator text not null,
    reason text not null,
    started_at timestamptz not null default clock_timestamp(),
    changed_at timestamptz not null default clock_timestamp()
);

-- The items of a run: ids of dead letters in processing order, many in each row.
create table dead_letter_redrive_page (
    redrive bigint not null references dead_letter_redrive on delete cascade,
    page integer not null,
    dead_letters bigint[] not null,
    primary key (redrive, page)
);

-- Entities whose dead letters are collected, and the collector's state.
create table dead_letter_entity (
    entity text not null,
    transfer boolean not null default false,
    -- Where its messages come from and are re-driven to.
    destination text not null,
    -- The collector must report again before this time.
    alive_until timestamptz not null,
    collected bigint not null default 0,
    collected_at timestamptz,
    -- When the broker last had no more dead letters.
    drained_at timestamptz,
    failing_since timestamptz,
    failure_reason text,
    failure_description text,
    primary key (entity, transfer)
) with (fillfactor = 50);

comment on table dead_letter_message is 'what dead letters say; written once, and again only when the message is edited, redacted or archived';
comment on column dead_letter_message.id is 'order of arrival';
comment on column dead_letter_message.key is '128 bits of a digest over entity, sub-queue, sequence number, enqueued time, MessageId and body: a letter that comes twice is stored once, and a recreated entity, which starts its numbers again, loses none';
comment on column dead_letter_message.entity is 'path of the queue or subscription';
comment on column dead_letter_message.transfer is 'from the transfer dead-letter queue';
comment on column dead_letter_message.sequence_number is 'sequence number on the broker';
comment on column dead_letter_message.enqueued_at is 'enqueued time on the broker';
comment on column dead_letter_message.deliveries is 'delivery count on the broker';
comment on column dead_letter_message.expires_at is 'when it would have expired';
comment on column dead_letter_message.source is 'the entity that passed it on, where dead letters are forwarded';
comment on column dead_letter_message.reason is 'DeadLetterReason';
comment on column dead_letter_message.description is 'DeadLetterErrorDescription';
comment on column dead_letter_message.exception_type is 'exception that the consumer reported';
comment on column dead_letter_message.session_id is 'SessionId on the broker';
comment on column dead_letter_message.message_id is 'logical id of the message';
comment on column dead_letter_message.broker_message_id is 'MessageId on the broker when it is not message_id';
comment on column dead_letter_message.partition_key is 'PartitionKey on the broker';
comment on column dead_letter_message.subject is 'Subject on the broker';
comment on column dead_letter_message.content_type is 'ContentType on the broker';
comment on column dead_letter_message.correlation_id is 'CorrelationId on the broker';
comment on column dead_letter_message.to_address is 'To on the broker';
comment on column dead_letter_message.reply_to is 'ReplyTo on the broker';
comment on column dead_letter_message.reply_to_session_id is 'ReplyToSessionId on the broker';
comment on column dead_letter_message.time_to_live is 'TimeToLive on the broker, in milliseconds';
comment on column dead_letter_message.scheduled_enqueue_time is 'ScheduledEnqueueTime on the broker';
comment on column dead_letter_message.headers is 'application properties, as a JSON object; text, because jsonb refuses characters that foreign producers may send';
comment on column dead_letter_message.payload is 'the body';
comment on column dead_letter_message.body_kind is 'data, text, value or sequence: the AMQP section of the body';
comment on column dead_letter_message.claim is 'the body that is kept outside the message; null: none';
comment on column dead_letter_message.redrives is 're-drives before it came';
comment on column dead_letter_message.version is 'grows with each edit; former versions are in dead_letter_version';
comment on column dead_letter_message.collected_at is 'when it was stored';
comment on column dead_letter_message.first_enqueued_at is 'when it was enqueued for the first time, if that was before its last re-drive';
comment on column dead_letter_message.first_sequence_number is 'its sequence number then';
comment on column dead_letter_message.emptied is 'why there is nothing left to send: redacted, or without-body for a letter that was imported so; null: there is';

comment on table dead_letter_state is 'what became of each dead letter; small rows beside the large ones, because they change';
comment on column dead_letter_state.id is 'of its dead_letter_message; both rows come and go in one transaction';
comment on column dead_letter_state.state is 'open: an operator has to decide; quarantined: re-driven too often, waits for an operator; redriven: a copy is in the outbox or was handed to the consumer; discarded: nothing more happens; archived: the body is in the archive until keep_until';
comment on column dead_letter_state.changed_at is 'when it came into this state';
comment on column dead_letter_state.keep_until is 'when the archive may forget it';

comment on view dead_letter is 'dead letters with their state';
comment on column dead_letter.id is 'order of arrival';
comment on column dead_letter.key is '128 bits of a digest over entity, sub-queue, sequence number, enqueued time, MessageId and body: a letter that comes twice is stored once, and a recreated entity, which starts its numbers again, loses none';
comment on column dead_letter.entity is 'path of the queue or subscription';
comment on column dead_letter.transfer is 'from the transfer dead-letter queue';
comment on column dead_letter.sequence_number is 'sequence number on the broker';
comment on column dead_letter.enqueued_at is 'enqueued time on the broker';
comment on column dead_letter.deliveries is 'delivery count on the broker';
comment on column dead_letter.expires_at is 'when it would have expired';
comment on column dead_letter.source is 'the entity that passed it on, where dead letters are forwarded';
comment on column dead_letter.reason is 'DeadLetterReason';
comment on column dead_letter.description is 'DeadLetterErrorDescription';
comment on column dead_letter.exception_type is 'exception that the consumer reported';
comment on column dead_letter.session_id is 'SessionId on the broker';
comment on column dead_letter.message_id is 'logical id of the message';
comment on column dead_letter.broker_message_id is 'MessageId on the broker when it is not message_id';
comment on column dead_letter.partition_key is 'PartitionKey on the broker';
comment on column dead_letter.subject is 'Subject on the broker';
comment on column dead_letter.content_type is 'ContentType on the broker';
comment on column dead_letter.correlation_id is 'CorrelationId on the broker';
comment on column dead_letter.to_address is 'To on the broker';
comment on column dead_letter.reply_to is 'ReplyTo on the broker';
comment on column dead_letter.reply_to_session_id is 'ReplyToSessionId on the broker';
comment on column dead_letter.time_to_live is 'TimeToLive on the broker, in milliseconds';
comment on column dead_letter.scheduled_enqueue_time is 'ScheduledEnqueueTime on the broker';
comment on column dead_letter.headers is 'application properties, as a JSON object; text, because jsonb refuses characters that foreign producers may send';
comment on column dead_letter.payload is 'the body';
comment on column dead_letter.body_kind is 'data, text, value or sequence: the AMQP section of the body';
comment on column dead_letter.claim is 'the body that is kept outside the message; null: none';
comment on column dead_letter.redrives is 're-drives before it came';
comment on column dead_letter.version is 'grows with each edit; former versions are in dead_letter_version';
comment on column dead_letter.collected_at is 'when it was stored';
comment on column dead_letter.first_enqueued_at is 'when it was enqueued for the first time, if that was before its last re-drive';
comment on column dead_letter.first_sequence_number is 'its sequence number then';
comment on column dead_letter.emptied is 'why there is nothing left to send: redacted, or without-body for a letter that was imported so; null: there is';
comment on column dead_letter.state_id is 'as id; a reader of pages behind an id names both, because the planner does not carry a range from one table to the other';
comment on column dead_letter.state is 'open: an operator has to decide; quarantined: re-driven too often, waits for an operator; redriven: a copy is in the outbox or was handed to the consumer; discarded: nothing more happens; archived: the body is in the archive until keep_until';
comment on column dead_letter.changed_at is 'when it came into this state';
comment on column dead_letter.keep_until is 'when the archive may forget it';

comment on table dead_letter_version is 'what messages said before they were edited; version 1 is what the broker delivered';
comment on column dead_letter_version.dead_letter is 'the dead letter';
comment on column dead_letter_version.version is 'the version that was replaced';
comment on column dead_letter_version.session_id is 'SessionId on the broker';
comment on column dead_letter_version.partition_key is 'PartitionKey on the broker';
comment on column dead_letter_version.subject is 'Subject on the broker';
comment on column dead_letter_version.content_type is 'ContentType on the broker';
comment on column dead_letter_version.correlation_id is 'CorrelationId on the broker';
comment on column dead_letter_version.to_address is 'To on the broker';
comment on column dead_letter_version.reply_to is 'ReplyTo on the broker';
comment on column dead_letter_version.reply_to_session_id is 'ReplyToSessionId on the broker';
comment on column dead_letter_version.time_to_live is 'TimeToLive on the broker, in milliseconds';
comment on column dead_letter_version.headers is 'application properties, as a JSON object; text, because jsonb refuses characters that foreign producers may send';
comment on column dead_letter_version.payload is 'the body';
comment on column dead_letter_version.body_kind is 'data, text, value or sequence: the AMQP section of the body';
comment on column dead_letter_version.replaced_at is 'when it was replaced';

comment on table dead_letter_archive is 'the archive that is kept in this database: whole messages as lines of JSON';
comment on column dead_letter_archive.id is 'as in dead_letter_message';
comment on column dead_letter_archive.document is 'the message';
comment on column dead_letter_archive.stored_at is 'when it was archived';

comment on table dead_letter_redrive is 'runs that re-drive many messages, in steps';
comment on column dead_letter_redrive.id is 'number of the run';
comment on column dead_letter_redrive.way is 'source: to where the letters came from; entity: to target; consumer: into the holds of the consumer target';
comment on column dead_letter_redrive.target is 'entity or consumer';
comment on column dead_letter_redrive.items is 'letters of the run';
comment on column dead_letter_redrive.position is 'place of the last item that was taken';
comment on column dead_letter_redrive.redriven is 'letters that were re-driven';
comment on column dead_letter_redrive.canary is 'the run pauses by itself after so many; null: it does not';
comment on column dead_letter_redrive.rate is 'most messages in a second; null: no limit';
comment on column dead_letter_redrive.paced_at is 'until when the rate is used up';
comment on column dead_letter_redrive.state is 'running, paused, done or abandoned';
comment on column dead_letter_redrive.operator is 'who started it';
comment on column dead_letter_redrive.reason is 'why';
comment on column dead_letter_redrive.started_at is 'when it was started';
comment on column dead_letter_redrive.changed_at is 'when it moved last';

comment on table dead_letter_redrive_page is 'the letters of a run in the order in which they are taken, many in each row';
comment on column dead_letter_redrive_page.redrive is 'the run';
comment on column dead_letter_redrive_page.page is 'order of the rows';
comment on column dead_letter_redrive_page.dead_letters is 'ids of letters';

comment on table dead_letter_entity is 'whose dead letters are collected, and how that goes';
comment on column dead_letter_entity.entity is 'path of the queue or subscription';
comment on column dead_letter_entity.transfer is 'its transfer dead-letter queue';
comment on column dead_letter_entity.destination is 'where its messages come from and are re-driven to';
comment on column dead_letter_entity.alive_until is 'renewed by the collector';
comment on column dead_letter_entity.collected is 'letters that were stored';
comment on column dead_letter_entity.collected_at is 'the last of them';
comment on column dead_letter_entity.drained_at is 'when nothing was left on the broker';
comment on column dead_letter_entity.failing_since is 'since when collecting fails; null: it does not';
comment on column dead_letter_entity.failure_reason is 'name of the failure';
comment on column dead_letter_entity.failure_description is 'what the broker said';
