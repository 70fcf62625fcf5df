-- Locks {0} or fails at once, because the loop has other destinations.
select from waybill.outbox_destination where destination = {0} for update nowait
