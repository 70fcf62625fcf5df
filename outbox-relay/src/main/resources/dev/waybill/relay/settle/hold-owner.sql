-- Locks the destination {0} under the epoch {1}; returns no row if it has another owner.
select from waybill.outbox_destination where destination = {0} and epoch = {1} for share
