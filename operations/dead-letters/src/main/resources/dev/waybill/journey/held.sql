-- Held messages. Ids of the holds of the inbox are negative, because both sides count from one.
--
-- Parameters: the logical ids {0}, and how many rows are wanted {1}; the latest come.
(select 'outbox' as side, h.destination as place, m.message_id, m.session_id, h.id as hold_id, m.place as hold_place,
    m.origin_position as origin, m.origin_time, m.deliveries, m.added_at as at, h.held_at, h.state,
    case h.state when 'retrying' then h.due_at end as due_at, h.reason, left(h.description, 2000) as description,
    exists (select from waybill.outbox_held_message f where f.hold_id = m.hold_id and f.place < m.place) as behind,
    clock_timestamp() as now
from waybill.outbox_held_message m join waybill.outbox_hold h on h.id = m.hold_id
where hashtextextended(m.message_id collate "C", 0) in (
        select hashtextextended(i collate "C", 0) from unnest({0}) as i)
    and m.message_id = any({0})
order by m.place desc limit {1})
union all
(select 'inbox' as side, h.consumer as place, m.message_id, m.session_id, -h.id as hold_id, m.place as hold_place,
    m.origin_position as origin, m.origin_time, m.deliveries, m.added_at as at, h.held_at, h.state,
    case h.state when 'retrying' then h.due_at end as due_at, h.reason, left(h.description, 2000) as description,
    exists (select from waybill.inbox_held_message f where f.hold_id = m.hold_id and f.place < m.place) as behind,
    clock_timestamp() as now
from waybill.inbox_held_message m join waybill.inbox_hold h on h.id = m.hold_id
where hashtextextended(m.message_id collate "C", 0) in (
        select hashtextextended(i collate "C", 0) from unnest({0}) as i)
    and m.message_id = any({0})
order by m.place desc limit {1})
order by hold_place desc limit {1}
