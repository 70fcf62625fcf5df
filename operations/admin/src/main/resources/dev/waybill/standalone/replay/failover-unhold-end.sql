-- Ends the holds of sessions of the destination {0} that failover-unhold.sql has emptied.
delete from waybill.outbox_hold h
where h.destination = {0} and h.message_id is null
  and not exists (select from waybill.outbox_held_message m where m.hold_id = h.id)
