-- Ends the empty ones of the holds {1}. A hold stays empty if its message was erased.
delete from waybill.outbox_hold h
where h.destination = {0} and h.key = any({1})
  and not exists (select from waybill.outbox_held_message m where m.hold_id = h.id)
