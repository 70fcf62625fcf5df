-- The destination that each entity belongs to, of destinations that have moved. The entity in force comes before those that a
-- destination has left.
select distinct on (p.path) p.path, p.destination
from (
  select lower(d.entity) as path, d.destination, 0 as rank
  from waybill.outbox_destination d where d.entity is not null
  union all
  select lower(f), d.destination, 1 from waybill.outbox_destination d cross join unnest(d.former_entities) f) p
order by p.path, p.rank, p.destination
