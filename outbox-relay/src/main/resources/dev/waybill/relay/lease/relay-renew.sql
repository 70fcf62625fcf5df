-- Extends the lease of the relay {0} if it has not expired; parameters as in relay-insert.sql.
--
-- It locks first and then decides: a heartbeat that waits for a claim must not extend the lease afterwards. It is a single
-- statement, so that a stopped process keeps no lock. It does not wait for a standby: without one, each heartbeat would block
-- the next. A heartbeat that a promoted standby lacks only ends the lease earlier.
with settings as materialized (
  select set_config('lock_timeout', '2s', true) as wait,
    set_config('synchronous_commit',
      case current_setting('synchronous_commit') when 'off' then 'off' else 'local' end, true) as flush),
me as materialized (
  select r.id, r.alive_until from settings s cross join waybill.relay r
  where r.id = {0} and s.wait <> '' and s.flush <> '' for update of r)
update waybill.relay r
set seen_at = clock_timestamp(), alive_until = clock_timestamp() + {1} * interval '1 millisecond',
  serving = {2}, destinations = {3}, states = {4},
  since = array(select clock_timestamp() - age * interval '1 millisecond'
    from unnest({5}::bigint[]) with ordinality as a(age, place) order by place),
  details = {6}, rates = {7}, places = jsonb_object({10}, {11})
from me where r.id = me.id and me.alive_until > clock_timestamp()
