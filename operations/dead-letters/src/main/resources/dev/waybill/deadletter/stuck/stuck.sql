-- Messages that wait for an operator, counted by place, scope, reason and state; the oldest first.
select place, scope, reason, state, count(*) as messages,
  greatest(0, extract(epoch from clock_timestamp() - min(since)) * 1000)::bigint as age
from (
  select 'dead_letters' as place, entity as scope, reason, state, collected_at as since
  from waybill.dead_letter where state in ('open', 'quarantined')
  union all
  select 'held_in_outbox', h.destination, h.reason, h.state, h.held_at
  from waybill.outbox_hold h join waybill.outbox_held_message m on m.hold_id = h.id
  union all
  select 'held_in_inbox', h.consumer, h.reason, h.state, h.held_at
  from waybill.inbox_hold h join waybill.inbox_held_message m on m.hold_id = h.id
) stuck
group by place, scope, reason, state
order by age desc, place, scope, reason
