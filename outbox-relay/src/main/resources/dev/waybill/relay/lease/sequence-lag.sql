-- Returns a row if the sequence is behind a pending value of the destinations {0}.
--
-- The sequence is read after the snapshot, so it is not below values that the snapshot shows. Held values have no index, but
-- holds are few.
with highest as materialized (
  select max(w.value) as value from unnest({0}::text[]) as c(destination)
  cross join lateral (
    (select m.seq from waybill.outbox_message m where m.destination = c.destination order by m.seq desc limit 1)
    union all
    (select max(m.origin_position) from waybill.outbox_hold h
     join waybill.outbox_held_message m on m.hold_id = h.id where h.destination = c.destination)) as w(value))
select from highest h join waybill.outbox_seq s on h.value > s.last_value
