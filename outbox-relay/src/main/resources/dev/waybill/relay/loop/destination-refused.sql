-- Records that the destination {0}, owned under the epoch {1}, refuses all messages, with reason {2} and description {3}. Skips
-- a locked row, because the loop waits for no lock.
with free as materialized (
  select destination from waybill.outbox_destination where destination = {0} and epoch = {1} for update skip locked
)
update waybill.outbox_destination d
set refused_at = coalesce(refused_at, clock_timestamp()), refusal_seen_at = clock_timestamp(),
  refusal_reason = {2}, refusal_description = {3}
from free where d.destination = free.destination
