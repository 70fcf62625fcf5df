-- Locks the destination {0} under the epoch {1} unless it is paused. Skips it if it is locked, because the loop waits for no
-- lock.
select from waybill.outbox_destination
where destination = {0} and epoch = {1} and paused_at is null for share skip locked
