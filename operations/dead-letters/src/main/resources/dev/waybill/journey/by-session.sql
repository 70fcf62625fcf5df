-- Messages of the session {0}, the {1} latest.
select message_id from (
  (select message_id, created_at as at from waybill.outbox_message where lower(session_id collate "C") = lower({0} collate "C") order by seq desc limit {1})
  union all
  (select message_id, created_at from waybill.outbox_published where lower(session_id collate "C") = lower({0} collate "C") order by seq desc limit {1})
  union all
  (select message_id, created_at from waybill.outbox_scheduled where lower(session_id collate "C") = lower({0} collate "C") order by id desc limit {1})
  union all
  (select message_id, origin_time from waybill.outbox_held_message where lower(session_id collate "C") = lower({0} collate "C") order by origin_time desc limit {1})
  union all
  (select message_id, origin_time from waybill.inbox_held_message where lower(session_id collate "C") = lower({0} collate "C") order by origin_time desc limit {1})
  union all
  (select message_id, deferred_at from waybill.inbox_deferral where lower(session_id collate "C") = lower({0} collate "C") order by deferred_at desc limit {1})
  union all
  (select message_id, max(collected_at) as at from waybill.dead_letter_message where lower(session_id collate "C") = lower({0} collate "C")
   group by message_id order by at desc limit {1})
) found
group by message_id order by max(at) desc limit {1}
