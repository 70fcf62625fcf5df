-- The last failover of the destination {0}.
select at, operator, reason from waybill.operator_action
where subject_kind = 'destination' and subject = {0} and action = 'failover'
order by at desc limit 1
