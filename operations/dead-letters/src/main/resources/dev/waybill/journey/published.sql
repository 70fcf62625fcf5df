-- Published messages that are retained.
--
-- Parameters: the logical ids {0}, and how many rows are wanted {1}; the latest come.
select 'outbox' as side, created_at as at, destination as place, message_id, session_id, seq as origin,
    created_at as origin_time, published_at,
    array['sequence value', seq::text, 'traceparent', headers ->> 'traceparent', 'broker id', broker_message_id,
    'subject', subject, 'bytes', octet_length(payload)::text, 're-drive', headers ->> 'waybill-redrive'] as details
from waybill.outbox_published
where hashtextextended(message_id collate "C", 0) in (
        select hashtextextended(i collate "C", 0) from unnest({0}) as i)
    and message_id in (select i from unnest({0}) as i)
order by created_at desc limit {1}
