-- The entity {0} ({1}: transfer dead letters) has no letter left on the broker: a failure is over.
update waybill.dead_letter_entity set drained_at = clock_timestamp(),
  failing_since = null, failure_reason = null, failure_description = null
where entity = {0} and transfer = {1}
