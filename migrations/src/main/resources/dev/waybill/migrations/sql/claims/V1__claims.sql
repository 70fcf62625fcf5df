-- Bodies outside their messages.

create table outbox_claim (
    claim uuid primary key,
    destination text not null,
    message_id varchar(128) not null,
    bytes bigint not null,
    xid xid8 not null default pg_current_xact_id(),
    state text not null default 'needed' check (state in ('needed', 'published', 'removing')),
    state_since timestamptz not null default clock_timestamp(),
    created_at timestamptz not null default clock_timestamp(),
    digest uuid not null
);

create index outbox_claim_needed on outbox_claim (claim) where state = 'needed';
create index outbox_claim_unneeded on outbox_claim (state, state_since) where state <> 'needed';

comment on table outbox_claim is 'bodies outside their messages, registered in the transaction of the message, wherever the body is';
comment on column outbox_claim.claim is 'what the message carries in place of the body';
comment on column outbox_claim.destination is 'destination of the message';
comment on column outbox_claim.message_id is 'logical id of the message';
comment on column outbox_claim.bytes is 'length of the body';
comment on column outbox_claim.xid is 'the transaction that wrote the message: its rows are found by it';
comment on column outbox_claim.state is
    'needed: the message may not be published yet; published: only consumers may need the body, until the retention has passed; removing: the body is being removed, and no message may come to need it';
comment on column outbox_claim.state_since is 'when it came into this state';
comment on column outbox_claim.created_at is 'when the row was written';
comment on column outbox_claim.digest is 'erasure_digest of the session, or of the message if it has none: finds the body when the message''s row is gone';

create table outbox_claim_body (
    claim uuid primary key,
    body bytea not null
);

comment on table outbox_claim_body is 'bodies that are kept in this database';
comment on column outbox_claim_body.claim is 'as in outbox_claim';
comment on column outbox_claim_body.body is 'the body, as the message would carry it';
