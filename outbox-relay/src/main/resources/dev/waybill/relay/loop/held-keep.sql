-- Copies the messages at the places {2} of the hold {0}, which the broker has accepted, to the published messages, with the values
-- that they had in the outbox. The attempt {1} must be valid; its hold stays locked until the settle, which removes the messages.
with own as materialized (
  select id, destination from waybill.outbox_hold where id = {0} and attempt_token = {1} for update
)
insert into waybill.outbox_published (
  seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type, correlation_id,
  to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload, created_at)
select
  m.origin_position, h.destination, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject,
  m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
  m.scheduled_enqueue_time, m.headers::jsonb, m.payload, m.origin_time
from own h
join waybill.outbox_held_message m on m.hold_id = h.id and m.place in (select unnest({2}))
on conflict do nothing
