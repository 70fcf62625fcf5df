-- Messages of the trace {0}, at most {1}. Headers of other producers may be no JSON that PostgreSQL takes.
select message_id from (
  (select message_id, created_at as at from waybill.outbox_message
   where split_part(headers ->> 'traceparent', '-', 2) = {0} limit {1})
  union all
  (select message_id, created_at from waybill.outbox_published
   where split_part(headers ->> 'traceparent', '-', 2) = {0} limit {1})
  union all
  (select message_id, created_at from waybill.outbox_scheduled
   where split_part(headers ->> 'traceparent', '-', 2) = {0} limit {1})
  union all
  (select message_id, origin_time from waybill.outbox_held_message
   where substring(headers from '"traceparent": ?"[^"-]*-([^"-]*)-') = {0} limit {1})
  union all
  (select message_id, origin_time from waybill.inbox_held_message
   where substring(headers from '"traceparent": ?"[^"-]*-([^"-]*)-') = {0} limit {1})
  union all
  (select message_id, collected_at from waybill.dead_letter_message
   where substring(headers from '"traceparent": ?"[^"-]*-([^"-]*)-') = {0} limit {1})
) found
group by message_id order by max(at) desc limit {1}
