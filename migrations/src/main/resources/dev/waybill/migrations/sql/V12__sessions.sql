-- A session has one owner at a time. The broker says who, but a consumer that was frozen may hear too late that it is
-- somebody else by now. So each acceptance of a session draws a fencing token, higher than those before it, and no message
-- is admitted under a token that is not the highest.
create sequence inbox_acceptance_seq;

create table inbox_acceptance (
    -- A digest of consumer, entity and session.
    key uuid primary key,
    consumer text not null,
    token bigint not null,
    accepted_at timestamptz not null default clock_timestamp()
) with (fillfactor = 70);

comment on column inbox_acceptance.token is 'the highest under which a message of the session was admitted';

-- The owner of a session asks with each message whether a deferred one of that session is wanted back.
create index inbox_deferral_wanted on inbox_deferral (consumer, session_id, sequence_number) where resume_at is not null;
