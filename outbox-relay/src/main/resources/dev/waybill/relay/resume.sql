-- Ends the pause of the destination {0}: any pause, or the one with time {1}, operator {2} and reason {3}.
update waybill.outbox_destination set paused_at = null, paused_by = null, pause_reason = null
where destination = {0} and paused_at is not null
  and ({1}::timestamptz is null or (paused_at = {1} and paused_by = {2} and pause_reason = {3}))
