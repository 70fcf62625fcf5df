-- Truncates the days whose messages were all published more than {0} milliseconds ago.
select waybill.outbox_published_trim({0} * interval '1 millisecond')
