-- The destination {0} refuses everything, for the reason {1}, described by {2}. What somebody has locked is left for the next
-- time: the loop waits for no lock, because all destinations would.
with free as materialized (
  select destination from waybill.outbox_destination where destination = {0} for update skip locked
)
update waybill.outbox_destination d
set refused_at = coalesce(refused_at, clock_timestamp()), refusal_seen_at = clock_timestamp(),
  refusal_reason = {1}, refusal_description = {2}
from free where d.destination = free.destination
