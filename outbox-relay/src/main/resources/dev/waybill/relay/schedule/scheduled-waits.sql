-- Milliseconds until the first message of each destination {0} is due. PostgreSQL before 17 cannot subtract infinity.
select d.destination, greatest(0, ceil(1000 * extract(epoch from least(
    greatest(s.due_at, '2000-01-01 00:00:00+00'), statement_timestamp() + interval '1 hour')
  - statement_timestamp())))::bigint as millis
from unnest({0}::text[]) as d(destination)
cross join lateral (
  select s.due_at from waybill.outbox_scheduled s
  where s.destination = d.destination order by s.due_at limit 1) s
