-- How many messages of the run {0} are due at the rate of {1} a second: what has become due since the last step, and no more
-- than a second's worth after a pause. A clock that was set back by more than a minute counts as a pause; otherwise the run
-- would stand still until the clock has caught up.
select case when paced_at > clock_timestamp() + interval '1 minute' then {1}
  else greatest(0, least({1}, floor(extract(epoch from clock_timestamp() - paced_at) * {1}))) end::integer
from waybill.dead_letter_redrive where id = {0}
