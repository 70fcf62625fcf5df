-- Dead letters.
--
-- Parameters: the logical ids {0}, and how many rows are wanted {1}; the latest come.
select 'letters' as side, entity as place, message_id, session_id, sequence_number as origin,
    enqueued_at as origin_time, deliveries, collected_at as at, reason, left(description, 2000) as description,
    array['dead letter', id::text, 'state', state, 'sequence number', sequence_number::text,
        'broker id', broker_message_id, 'emptied', emptied,
        're-drives', case when redrives > 0 then redrives::text end] as details
from waybill.dead_letter
where message_id = any({0})
order by id desc limit {1}
