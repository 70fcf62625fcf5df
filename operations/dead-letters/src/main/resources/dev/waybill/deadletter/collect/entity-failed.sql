-- Records that collecting from the entity {0} ({1}: transfer dead letters) with the destination {2} fails: reason {3},
-- description {4}. The time of the first failure stays.
insert into waybill.dead_letter_entity as e
  (entity, transfer, destination, alive_until, failing_since, failure_reason, failure_description)
values ({0}, {1}, {2}, clock_timestamp(), clock_timestamp(), {3}, {4})
on conflict (entity, transfer) do update set
  failing_since = coalesce(e.failing_since, excluded.failing_since),
  failure_reason = excluded.failure_reason, failure_description = excluded.failure_description
