-- Moves messages that failover-count.sql counts back to the outbox of the destination {0}, with their values, so that they come
-- before all that was appended later: those among the next {3} behind the value {4}. Erasure orders are checked if {5}. Returns the
-- last of the values, null at the end, and those that moved.
--
-- The relay that owns the destination loses it, because its reads begin behind these values, and may settle nothing more. The next
-- owner reads from the start.
--
-- Conditions that need other tables stand behind the limit, so that a step reads the primary key from its place on, and no more.
with stopped as (
  update waybill.outbox_destination set owner = null, epoch = epoch + 1, free_at = clock_timestamp() where destination = {0}
), next as materialized (
  select p.seq, p.message_id, p.session_id, p.slot, p.created_at
  from waybill.outbox_published p
  where p.destination = {0} and p.seq > {4} and p.published_at >= {1} and p.seq not in (select unnest({2}))
    and (extract(epoch from clock_timestamp() - greatest(p.published_at, p.scheduled_enqueue_time)) * 1000 > p.time_to_live) is not true
  order by p.seq
  limit {3}
), chosen as materialized (
  -- After a reset of the sequence two messages may have one value.
  select distinct on (n.seq) n.seq, n.message_id, n.slot
  from next n
  -- With a limit this is a look at the key for each row. Statistics of an outbox that was empty make an anti-join read all of it.
  left join lateral (
    select true as taken from waybill.outbox_message m where m.destination = {0} and m.seq = n.seq limit 1) m on true
  left join lateral (
    select true as taken from waybill.erasure_order e
    where {5} and n.created_at <= e.applies_until and e.digest in (
      waybill.erasure_digest('message', n.message_id), waybill.erasure_digest('session', n.session_id))
    limit 1) e on true
  where m.taken is null and e.taken is null
  order by n.seq
), gone as (
  delete from waybill.outbox_published p using chosen c
  where p.destination = {0} and p.seq = c.seq and p.message_id = c.message_id and p.slot = c.slot
  returning p.*
), back as (
  insert into waybill.outbox_message (
    seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type, correlation_id,
    to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload, created_at)
  select seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type, correlation_id,
    to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload, created_at
  from gone
  returning seq
)
select (select max(seq) from next) as last, coalesce((select array_agg(seq) from back), '{}') as moved
