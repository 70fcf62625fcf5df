-- Clears the refusal of the destination {0}, owned under the epoch {1}. Returns whether it remains because the row is locked.
with free as materialized (
  select destination from waybill.outbox_destination
  where destination = {0} and epoch = {1} and refused_at is not null for update skip locked
), accepting as (
  update waybill.outbox_destination d
  set refused_at = null, refusal_seen_at = null, refusal_reason = null, refusal_description = null
  from free where d.destination = free.destination
  returning 1
)
select exists (
    select from waybill.outbox_destination where destination = {0} and epoch = {1} and refused_at is not null)
  and not exists (select from accepting)
