-- The message that was written down has come back to the owner of the destination {0} under the epoch {1}. What somebody has
-- locked stays as it is.
with free as materialized (
  select destination from waybill.outbox_destination where destination = {0} and epoch = {1} for update skip locked
)
update waybill.outbox_destination d
set suspect_epoch = null
from free where d.destination = free.destination
