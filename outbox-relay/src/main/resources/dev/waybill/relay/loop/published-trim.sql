-- Truncates the days whose messages were all published more than {0} milliseconds ago, and are all of the destinations {1}.
select waybill.outbox_published_trim({0} * interval '1 millisecond', {1})
