-- The first {3} messages that failover-move.sql would move.
select p.*
from waybill.outbox_published p
where p.destination = {0} and p.published_at >= {1} and p.seq <> all ({2})
order by p.seq
limit {3}
