-- Records that the destination {0} refuses all messages, with reason {1} and description {2}. Skips a locked row, because the
-- loop waits for no lock.
with free as materialized (
  select destination from waybill.outbox_destination where destination = {0} for update skip locked
)
update waybill.outbox_destination d
set refused_at = coalesce(refused_at, clock_timestamp()), refusal_seen_at = clock_timestamp(),
  refusal_reason = {1}, refusal_description = {2}
from free where d.destination = free.destination
