-- Events of messages: holds, attempts, failures, duplicates. Ids of the holds of the inbox are negative, because both sides
-- count from one.
--
-- Parameters: the logical ids {0}, and how many rows are wanted {1}; the latest come.
select side, scope as place, entity, event, message_id, session_id,
    case side when 'inbox' then -hold_id else hold_id end as hold_id, place as hold_place,
    origin_position as origin, origin_time, deliveries, at, since, due_at, times, reason, description,
    xid::text as transaction
from waybill.message_event
where hashtextextended(message_id collate "C", 0) in (
        select hashtextextended(i collate "C", 0) from unnest({0}) as i)
    and message_id in (select i from unnest({0}) as i)
order by id + 0 desc limit {1}
