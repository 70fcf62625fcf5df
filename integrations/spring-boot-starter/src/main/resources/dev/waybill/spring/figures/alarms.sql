select alarm, severity, destination, detail from waybill.relay_alarm
union all
select alarm, severity, consumer, detail from waybill.inbox_alarm
order by severity, alarm, destination
