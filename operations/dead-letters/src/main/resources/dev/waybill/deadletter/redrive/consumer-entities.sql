-- What the consumer {0} receives from: its living processes, or else the last one that ended without removing its heartbeat.
select distinct i.entity
from (select entity, alive_until, max(alive_until) over () as last from waybill.inbox_instance where consumer = {0}) i
where i.entity is not null and i.alive_until >= least(i.last, clock_timestamp())
order by i.entity
