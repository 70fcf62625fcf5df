-- Deletes rows that the broker has accepted. Parameters: destinations, epochs; of each row destination, value, message id.
--
-- The destinations are locked first: a claim that commits while the rows are deleted must wait, and a joined epoch would not
-- stop it. One that somebody has locked is left for the next settle, so that no lock stops the others.
--
-- A row is named by destination, value and message id: after a failover that a pooler hides, the value may name a row that was
-- never sent.
with owned as materialized (
  select d.destination
  from unnest(?::text[], ?::bigint[]) as o (destination, epoch)
  join waybill.outbox_destination d on d.destination = o.destination and d.epoch = o.epoch
  order by d.destination
  for share of d skip locked
), gone as (
  delete from waybill.outbox_message m
  using unnest(?::text[], ?::bigint[], ?::text[]) as r (destination, seq, message_id)
  where (r.destination in (select destination from owned)) is true
    and m.destination = r.destination and m.seq = r.seq and m.message_id = r.message_id
  returning 1
)
select pg_current_xact_id()::text::bigint, coalesce((select array_agg(destination) from owned), '{}'),
  (select count(*) from gone)
