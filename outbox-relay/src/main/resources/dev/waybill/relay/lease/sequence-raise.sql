-- Raises the sequence above all pending values of the destinations {0}. The margin covers values that others allocate
-- meanwhile.
with highest as materialized (
  select max(w.value) as value from unnest({0}::text[]) as c(destination)
  cross join lateral (
    (select m.seq from waybill.outbox_message m where m.destination = c.destination order by m.seq desc limit 1)
    union all
    (select max(m.origin_position) from waybill.outbox_hold h
     join waybill.outbox_held_message m on m.hold_id = h.id where h.destination = c.destination)) as w(value))
select setval('waybill.outbox_seq', h.value + 10000)
from highest h join waybill.outbox_seq s on h.value > s.last_value
