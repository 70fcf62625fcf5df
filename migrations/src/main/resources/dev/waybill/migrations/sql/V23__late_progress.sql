-- How far late messages of a lane have been sent: those that the cursor's snapshot does not see and the later one does, up to a
-- sequence value. Without it, a relay that took over among them sent all of them again.
alter table outbox_progress
    add column late_snapshot pg_snapshot,
    add column late_reached bigint;

comment on column outbox_progress.late_reached is
    'of the messages that late_snapshot sees and snapshot does not, those with values up to here are published or held as well';

create or replace view outbox_cursor as
select p.id, l.destination, l.bucket, p.epoch, p.position, p.snapshot, p.next_xid, p.recorded_at, p.late_snapshot,
    p.late_reached
from outbox_lane l
cross join lateral (
    select * from outbox_progress r
    where r.destination = l.destination and r.bucket = l.bucket
    order by r.epoch desc, r.position desc, r.id desc
    limit 1) p;

-- A lane that stands where it stood has moved on all the same if its late messages have.
alter table outbox_suspicion add column late_reached bigint not null default 0;
