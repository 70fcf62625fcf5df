-- As accepted-delete.sql; rows of the destinations of the last parameter move to the published messages.
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
  returning m.*
), kept as (
  insert into waybill.outbox_published (
    seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type,
    correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers,
    payload, created_at)
  select
    seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type,
    correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers,
    payload, created_at
  from gone where destination = any (?)
  on conflict do nothing
)
select pg_current_xact_id()::text::bigint, coalesce((select array_agg(destination) from owned), '{}'),
  (select count(*) from gone)
