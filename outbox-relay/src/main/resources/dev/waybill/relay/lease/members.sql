-- The relays that are alive (with a null destination), and the destinations {0}, in one snapshot.
--
-- A destination is free since free_at, the end of its owner's lease, or the last heartbeat of an owner that does not serve it.
-- PostgreSQL before 17 cannot subtract infinity.
with alive as materialized (
  select * from waybill.relay where alive_until > clock_timestamp()
)
select d.destination, d.owner as relay,
  coalesce((extract(epoch from clock_timestamp() - greatest('2000-01-01 00:00:00+00', case
    when d.owner is null then d.free_at
    when a.id is null then r.alive_until
    when not d.destination = any (a.serving) then a.seen_at
    else clock_timestamp() end)) * 1000)::bigint, 0) as free_millis,
  coalesce(d.moves_until > clock_timestamp(), false) as moves, d.entity,
  null::text[] as serving, null::boolean as follows, null::bigint as owned
from waybill.outbox_destination d
left join waybill.relay r on r.id = d.owner
left join alive a on a.id = d.owner
where d.destination = any ({0})
union all
select null, a.id, null, null, null, a.serving, a.follows_entities,
  (select count(*) from waybill.outbox_destination d where d.owner = a.id and d.destination = any (a.serving))
from alive a
order by 1, 2
