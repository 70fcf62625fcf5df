-- Locks the destination {0} under the epoch {1} unless it is paused. What somebody has locked is left for the next time: the loop
-- waits for no lock.
select from waybill.outbox_destination
where destination = {0} and epoch = {1} and paused_at is null for share skip locked
