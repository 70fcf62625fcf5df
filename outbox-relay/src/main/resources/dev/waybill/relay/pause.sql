-- Pauses the destination {0} by operator {1} with reason {2}. An existing pause keeps its time, and its operator and reason too
-- if {3}.
insert into waybill.outbox_destination as d (destination, paused_at, paused_by, pause_reason)
values ({0}, clock_timestamp(), {1}, {2})
on conflict (destination) do update set
  paused_at = coalesce(d.paused_at, clock_timestamp()), paused_by = {1}, pause_reason = {2}
where d.paused_at is null or not {3}
