-- Locks {0}, or fails at once: a loop that has other destinations waits for no lock.
select from waybill.outbox_destination where destination = {0} for update nowait
