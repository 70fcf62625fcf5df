-- Locks the destination {0} while it is paused. A statement of its own, because the next one must see what the lock waited for.
select from waybill.outbox_destination where destination = {0} and paused_at is not null for update
