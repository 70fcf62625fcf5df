-- The message in isolation of the destination {0}, owned under the epoch {1}, has returned. Does nothing if the row is locked.
with free as materialized (
  select destination from waybill.outbox_destination where destination = {0} and epoch = {1} for update skip locked
)
update waybill.outbox_destination d
set suspect_epoch = null
from free where d.destination = free.destination
