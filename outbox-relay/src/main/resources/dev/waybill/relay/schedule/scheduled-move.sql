-- Moves locked rows by their ctids {0}.
with due as (
  delete from waybill.outbox_scheduled s where s.ctid = any ({0}::tid[]) returning s.*)
insert into waybill.outbox_message (
  destination, session_id, message_id, broker_message_id, partition_key, subject, content_type, correlation_id,
  to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload)
select destination, session_id, message_id, broker_message_id, partition_key, subject, content_type, correlation_id,
  to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload
from due order by due_at, id
