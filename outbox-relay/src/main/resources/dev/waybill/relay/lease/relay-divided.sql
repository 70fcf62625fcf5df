-- Those of the destinations {0} that living relays publish to different places, or under two spellings.
select destination, string_agg(detail, '; ' order by alarm) as detail from waybill.relay_alarm
where alarm in ('two-namespaces', 'two-spellings') and destination = any ({0})
group by destination
