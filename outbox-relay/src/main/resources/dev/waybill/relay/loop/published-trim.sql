-- Empties the days of which all messages were published more than {0} milliseconds ago.
select waybill.outbox_published_trim({0} * interval '1 millisecond')
