-- Messages with the MessageId {0} on the broker, at most {1}.
select message_id from (
  (select message_id, created_at as at from waybill.outbox_message
   where broker_message_id = {0} or broker_message_id is null and message_id = {0} limit {1})
  union all
  (select message_id, created_at from waybill.outbox_published
   where broker_message_id = {0} or broker_message_id is null and message_id = {0} limit {1})
  union all
  (select message_id, origin_time from waybill.outbox_held_message
   where broker_message_id = {0} or broker_message_id is null and message_id = {0} limit {1})
  union all
  (select message_id, origin_time from waybill.inbox_held_message
   where broker_message_id = {0} or broker_message_id is null and message_id = {0} limit {1})
  union all
  (select message_id, collected_at from waybill.dead_letter_message
   where broker_message_id = {0} or broker_message_id is null and message_id = {0} limit {1})
) found
group by message_id order by max(at) desc limit {1}
