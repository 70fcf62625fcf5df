-- Counts stop at 100,000, as the backlog's do.
select 'pending' as figure, destination as name, pending as messages, oldest_age_seconds as oldest_seconds
from waybill.outbox_backlog
union all
select 'scheduled', destination, count(*), null
from (select destination from waybill.outbox_scheduled limit 100000) s
group by destination
union all
select 'held', h.destination, count(x.place), extract(epoch from clock_timestamp() - min(h.held_at))::double precision
from waybill.outbox_hold h left join waybill.outbox_held_message x on x.hold_id = h.id
group by h.destination
union all
select 'inbox-held', h.consumer, count(x.place), extract(epoch from clock_timestamp() - min(h.held_at))::double precision
from waybill.inbox_hold h left join waybill.inbox_held_message x on x.hold_id = h.id
group by h.consumer
union all
select 'dead-letters', entity, count(*), extract(epoch from clock_timestamp() - min(collected_at))::double precision
from (select entity, collected_at from waybill.dead_letter where state in ('open', 'quarantined') limit 100000) d
group by entity
order by figure, name
