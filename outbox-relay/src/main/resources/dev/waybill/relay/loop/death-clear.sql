-- Clears the deaths of the destination {0}, owned under the epoch {1}, unless it is locked.
with free as materialized (
  select destination from waybill.outbox_destination where destination = {0} and epoch = {1} for update skip locked
)
update waybill.outbox_destination d
set deaths = 0, suspect_seq = null, suspect_message_id = null, suspect_epoch = null, suspect_deaths = 0
from free where d.destination = free.destination
