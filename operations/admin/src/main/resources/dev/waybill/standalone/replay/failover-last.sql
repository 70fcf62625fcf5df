-- The last failover of the destination {0}, unless messages that were appended before it still wait.
select a.at, a.operator, a.reason
from (
  select at, operator, reason from waybill.operator_action
  where subject_kind = 'destination' and subject = {0} and action = 'failover'
  order by at desc limit 1) a
where not exists (select from waybill.outbox_message m where m.destination = {0} and m.created_at <= a.at)
