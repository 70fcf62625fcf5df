-- Moves the first {3} of the messages that failover-count.sql counts back to the outbox of the paused destination {0}, with their
-- values, so that they come before all that was appended later. Returns the values.
--
-- The relay that owns the destination loses it, because its reads begin behind these values, and may settle nothing more. The next
-- owner reads from the start.
with stopped as materialized (
  update waybill.outbox_destination set owner = null, epoch = epoch + 1, free_at = clock_timestamp()
  where destination = {0} and paused_at is not null
  returning destination
), chosen as materialized (
  select distinct on (p.seq) p.seq, p.message_id, p.slot
  from stopped s
  join waybill.outbox_published p on p.destination = s.destination and p.published_at >= {1} and p.seq <> all ({2})
  where not exists (select from waybill.outbox_hold h
      where h.destination = p.destination and lower(h.session_id collate "C") = lower(p.session_id collate "C"))
    -- After a reset of the sequence two messages may have one value.
    and not exists (select from waybill.outbox_message m where m.destination = p.destination and m.seq = p.seq)
    and not exists (select from waybill.erasure_order e
      where p.created_at <= e.applies_until and e.digest in (
        waybill.erasure_digest('message', p.message_id), waybill.erasure_digest('session', p.session_id)))
  order by p.seq
  limit {3}
), gone as (
  delete from waybill.outbox_published p using chosen c
  where p.destination = {0} and p.seq = c.seq and p.message_id = c.message_id and p.slot = c.slot
  returning p.*
)
insert into waybill.outbox_message (
  seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type, correlation_id,
  to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload, created_at)
select seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type, correlation_id,
  to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload, created_at
from gone
returning seq
