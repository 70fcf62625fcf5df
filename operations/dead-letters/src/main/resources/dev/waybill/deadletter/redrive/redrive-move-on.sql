-- Moves the run {0} to the position {1}, with {2} more messages re-driven, into the state {3}. {4}: it pauses for its canary,
-- which is used up.
update waybill.dead_letter_redrive
set position = {1}, redriven = redriven + {2}, state = {3}, canary = case when {4} then null else canary end,
  paced_at = clock_timestamp(), changed_at = clock_timestamp()
where id = {0}
