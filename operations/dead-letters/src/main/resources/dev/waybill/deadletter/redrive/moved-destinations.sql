-- The destination that each entity belongs to, of destinations that have moved or lead to an entity of another name. The entity in
-- force comes before that of a relay's configuration (host/entity), and this before those that a destination has left.
select distinct on (p.path) p.path, p.destination
from (
  select lower(d.entity) as path, d.destination, 0 as rank
  from waybill.outbox_destination d where d.entity is not null
  union all
  select lower(substr(p.value, position('/' in p.value) + 1)), p.key, 1
  from waybill.relay r cross join lateral jsonb_each_text(r.places) p
  union all
  select lower(f), d.destination, 2 from waybill.outbox_destination d cross join unnest(d.former_entities) f) p
order by p.path, p.rank, p.destination
