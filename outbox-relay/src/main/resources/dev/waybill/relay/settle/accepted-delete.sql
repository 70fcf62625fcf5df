-- Deletes rows that the broker has accepted. Parameters: destinations, epochs; of each row destination, value, message id.
--
-- The destinations are locked first, so that a concurrent claim waits. A locked destination is left for the next settle, so
-- that it does not delay the others.
--
-- A bitmap scan always uses the key. An index scan can be one of all rows: with statistics of an outbox that was empty, a join would
-- compare all that waits with each row.
--
-- The message id guards against a failover behind a pooler, after which the value may belong to a row that was never sent.
set local enable_indexscan = off;
set local enable_bitmapscan = on;
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
