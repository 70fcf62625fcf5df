-- Deletes relays that died more than an hour ago and own nothing.
with dead as materialized (
  select r.id from waybill.relay r
  where r.alive_until < clock_timestamp() - interval '1 hour'
    and not exists (select from waybill.outbox_destination d where d.owner = r.id)
  order by r.id for update skip locked)
delete from waybill.relay r using dead where r.id = dead.id
