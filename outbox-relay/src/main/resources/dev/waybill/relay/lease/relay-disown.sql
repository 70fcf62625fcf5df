-- Frees what the relay {0} owns, in {1} milliseconds. What somebody has locked is taken over later, as from an owner that died: a
-- heartbeat waits for no operator.
with mine as materialized (
  select d.destination from waybill.outbox_destination d where d.owner = {0}
  order by d.destination for update skip locked)
update waybill.outbox_destination d
set owner = null, free_at = clock_timestamp() + {1} * interval '1 millisecond'
from mine m where d.destination = m.destination
