-- The first {3} messages that failover-move.sql would move.
select p.*
from waybill.outbox_published p
where p.destination = {0} and p.published_at >= {1} and p.seq <> all ({2})
  and (extract(epoch from clock_timestamp() - greatest(p.published_at, p.scheduled_enqueue_time)) * 1000 > p.time_to_live) is not true
order by p.seq
limit {3}
