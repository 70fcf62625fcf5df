-- Ends those of the holds {1} that have no message. A message that is being erased leaves the outbox and comes into no hold.
delete from waybill.outbox_hold h
where h.destination = {0} and h.key = any({1})
  and not exists (select from waybill.outbox_held_message m where m.hold_id = h.id)
