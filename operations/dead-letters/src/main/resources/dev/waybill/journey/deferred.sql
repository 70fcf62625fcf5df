-- Deferred messages.
--
-- Parameters: the logical ids {0}, and how many rows are wanted {1}; the latest come.
select 'inbox' as side, consumer as place, message_id, session_id, -hold_id as hold_id, sequence_number as origin,
    enqueued_at as origin_time, deferred_at as at, resume_at, array['key', defer_key] as details
from waybill.inbox_deferral
where message_id = any({0})
order by deferred_at desc limit {1}
