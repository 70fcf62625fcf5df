-- The owner {0} releases {1} under its epoch {2}. No relay may claim it for {3} milliseconds.
update waybill.outbox_destination
set owner = null, free_at = clock_timestamp() + {3} * interval '1 millisecond'
where destination = {1} and owner = {0} and epoch = {2}
