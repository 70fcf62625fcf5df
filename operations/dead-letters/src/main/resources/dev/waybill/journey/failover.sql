-- Failovers of a message's destination after its append and before its publication: of its destination, what had been published was
-- sent again. No row says whether this message was.
--
-- Parameters: the logical ids {0}, and how many rows are wanted {1}; the latest come.
select 'outbox' as side, a.at, a.subject as place, m.message_id, m.session_id, a.operator, a.reason,
    array['messages', a.after ->> 'again', 'published from', a.after ->> 'from', 'until', a.after ->> 'until',
    'database user', a.database_user] as details
from (
    select destination, message_id, session_id, created_at, null::timestamptz as published_at
    from waybill.outbox_message where message_id in (select i from unnest({0}) as i)
    union all
    select destination, message_id, session_id, created_at, published_at
    from waybill.outbox_published
    where hashtextextended(message_id collate "C", 0) in (
            select hashtextextended(i collate "C", 0) from unnest({0}) as i)
        and message_id in (select i from unnest({0}) as i)) m
join waybill.operator_action a on a.subject_kind = 'destination' and a.subject = m.destination and a.action = 'failover'
    and m.created_at <= coalesce((a.after ->> 'until')::timestamptz, a.at)
    and (m.published_at is null or m.published_at >= a.at)
order by a.at desc limit {1}
