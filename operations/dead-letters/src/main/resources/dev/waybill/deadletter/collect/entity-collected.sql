-- Counts {2} letters of the entity {0} ({1}: transfer dead letters) as stored. {3}: receiving and storing work, so a failure is
-- over.
update waybill.dead_letter_entity set collected = collected + {2}, collected_at = clock_timestamp(),
  failing_since = case when {3} then null else failing_since end,
  failure_reason = case when {3} then null else failure_reason end,
  failure_description = case when {3} then null else failure_description end
where entity = {0} and transfer = {1}
