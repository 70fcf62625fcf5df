-- The first {3} messages that failover-move.sql would move.
select p.*
from waybill.outbox_published p
where p.destination = {0} and p.published_at >= {1} and p.seq <> all ({2})
  and coalesce(lower(p.session_id collate "C") not in (
    select lower(h.session_id collate "C") from waybill.outbox_hold h
    where h.destination = {0} and h.session_id is not null), true)
order by p.seq
limit {3}
