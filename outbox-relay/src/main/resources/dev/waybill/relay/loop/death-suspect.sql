-- Records that the owner of the destination {0} under the epoch {1} sends the message {3} with the value {2} in isolation.
-- Skips a locked row, because the loop waits for no lock.
with free as materialized (
  select destination from waybill.outbox_destination where destination = {0} and epoch = {1} for update skip locked
)
update waybill.outbox_destination d
set suspect_seq = {2}, suspect_message_id = {3}, suspect_epoch = {1},
  suspect_deaths = case when d.suspect_seq = {2} and d.suspect_message_id = {3} then d.suspect_deaths else 0 end
from free where d.destination = free.destination
