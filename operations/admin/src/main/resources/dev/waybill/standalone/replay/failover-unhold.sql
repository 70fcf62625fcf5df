-- Returns the held messages of the destination {0} to the outbox if their session has messages that were published since {1}: behind
-- those, in the order of their values. They need no hold to keep the order, and the new broker may accept them.
--
-- A message that is held alone follows no order, and stays. Erasure orders are checked if {2}: a message that is being erased
-- must not escape into the outbox, so it goes from here.
with held as materialized (
  select h.id from waybill.outbox_hold h
  where h.destination = {0} and h.message_id is null and lower(h.session_id collate "C") in (
    select lower(p.session_id collate "C") from waybill.outbox_published p
    where p.destination = {0} and p.published_at >= {1})
  for update
), gone as (
  delete from waybill.outbox_held_message m using held h where m.hold_id = h.id
  returning m.*
)
insert into waybill.outbox_message (
  seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type, correlation_id,
  to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload, created_at)
select origin_position, {0}, session_id, message_id, broker_message_id, partition_key, subject, content_type, correlation_id,
  to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers::jsonb, payload, origin_time
from gone g
where not ({2} and exists (
  select from waybill.erasure_order e
  where g.origin_time <= e.applies_until and e.digest in (
    waybill.erasure_digest('message', g.message_id), waybill.erasure_digest('session', g.session_id))))
