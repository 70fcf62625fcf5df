-- Pauses the destination {0} on the word of {1}, for the reason {2}. One that is paused keeps its time, and gets this operator and
-- reason unless {3} says that it stays as it is.
insert into waybill.outbox_destination as d (destination, paused_at, paused_by, pause_reason)
values ({0}, clock_timestamp(), {1}, {2})
on conflict (destination) do update set
  paused_at = coalesce(d.paused_at, clock_timestamp()), paused_by = {1}, pause_reason = {2}
where d.paused_at is null or not {3}
