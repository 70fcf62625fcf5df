-- Those of the destinations {0} that living relays publish to different places.
select destination, detail from waybill.relay_alarm where alarm = 'two-namespaces' and destination = any ({0})
