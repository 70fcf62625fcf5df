-- Messages that wait for their time.
--
-- Parameters: the logical ids {0}, and how many rows are wanted {1}; the latest come.
select 'outbox' as side, created_at as at, destination as place, message_id, session_id, due_at,
    array['subject', subject, 'broker id', broker_message_id, 'traceparent', headers ->> 'traceparent'] as details
from waybill.outbox_scheduled
where message_id = any({0})
order by created_at desc limit {1}
