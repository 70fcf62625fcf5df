-- Scheduled messages that operators cancelled. Those that applications cancel are recorded nowhere.
--
-- Parameters: the logical ids {0}, and how many rows are wanted {1}; the latest come.
select 'outbox' as side, at, scope as place, subject as message_id, null as session_id, operator, reason,
    array['due', (before ->> 'due_at')::timestamptz::text, 'database user', database_user] as details
from waybill.operator_action
where subject_kind = 'scheduled-message' and subject = any({0})
order by at desc limit {1}
