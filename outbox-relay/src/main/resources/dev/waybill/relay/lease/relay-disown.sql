-- Frees the destinations of the relay {0} in {1} milliseconds. Locked ones are taken over later, as from a dead owner, because
-- a heartbeat must not wait for an operator.
with mine as materialized (
  select d.destination from waybill.outbox_destination d where d.owner = {0}
  order by d.destination for update skip locked)
update waybill.outbox_destination d
set owner = null, free_at = clock_timestamp() + {1} * interval '1 millisecond'
from mine m where d.destination = m.destination
