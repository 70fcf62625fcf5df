-- For processes of different settings and versions beside each other. Nothing but new columns without values, so that it is
-- done at once however much the tables hold.

-- How long an attempt of this process may last at most, in milliseconds: what an attempt may not have seen is kept for the
-- longest of all. Processes of versions before do not say it; they are taken to be set as whoever asks is.
alter table inbox_instance add column longest_attempt bigint;

-- By which an erasure finds the body when the message's row is gone: erasure_digest of the session, or of the message if it
-- has none. Null if a version before has written it.
alter table outbox_claim add column digest uuid;

comment on column inbox_instance.longest_attempt is 'milliseconds; null if a version before 15 has written it';
comment on column outbox_claim.digest is 'erasure_digest of the session, or of the message if it has none; null if not known';

-- Consumers of versions before 9 look for this name when they start, and for nothing in it. It is not updatable, so relays
-- of those versions still cannot take a lease.
create view outbox_lease as
select bucket, owner, epoch, lease_until from outbox_lease_withdrawn where false limit 0;

comment on view outbox_lease is 'always empty; lets consumers of versions before 9 start again';
