-- Locks the holds {1} of the destination {0} in the order of their keys.
select from waybill.outbox_hold where destination = {0} and key = any({1}) order by key for update
