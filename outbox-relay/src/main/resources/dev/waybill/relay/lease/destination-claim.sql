-- The relay {0} claims the free ones of the locked destinations {1}. {2} are the owners whose rows are locked.
--
-- An owner with a row that is not locked here may be alive: its heartbeat or another claim is running. An owner without a row
-- is dead. A death counts if messages are pending.
with free as materialized (
  select d.destination, d.owner is not null and o.alive_until is null as from_dead
  from waybill.outbox_destination d
  join waybill.relay me
    on me.id = {0} and me.alive_until > clock_timestamp() and d.destination = any (me.serving)
  left join waybill.relay o on o.id = d.owner and o.alive_until > clock_timestamp()
  where d.destination = any ({1})
    and (d.moves_until is null or d.moves_until <= clock_timestamp())
    and (d.entity is null or me.follows_entities)
    and case
      when d.owner is null then d.free_at <= clock_timestamp()
      when d.owner = me.id then true
      when d.owner = any ({2}) then o.id is null or not d.destination = any (o.serving)
      else not exists (select from waybill.relay r where r.id = d.owner) end
), counted as materialized (
  select f.*, (f.from_dead and exists (
      select from waybill.outbox_message m where m.destination = f.destination))::int as deaths
  from free f
)
update waybill.outbox_destination d
set owner = {0}, epoch = d.epoch + 1, deaths = d.deaths + c.deaths,
  suspect_deaths = d.suspect_deaths + case when d.suspect_epoch = d.epoch then c.deaths else 0 end
from counted c where d.destination = c.destination
returning d.destination, d.epoch, c.from_dead, d.deaths, d.suspect_seq, d.suspect_message_id, d.suspect_deaths,
  d.entity, d.entity_partitioned
