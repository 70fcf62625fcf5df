-- Moves rows that follow a held row of their session; parameters as in hold-refused.sql. Only rows with an existing, locked
-- hold move.
with given as materialized (
  select g.*, h.id as hold_id, h.destination
  from unnest({1}, {2}, {3}, {4}, {5}, {6}, {7}) with ordinality
    as g (seq, message_id, session, alone, key, reason, description, place)
  join waybill.outbox_hold h on h.destination = {0} and h.key = g.key
), moved as (
  delete from waybill.outbox_message m using given g
  where m.destination = g.destination and m.seq = g.seq and m.message_id = g.message_id
  returning g.hold_id, g.place, m.*
)
insert into waybill.outbox_held_message (
  hold_id, origin_position, origin_time, session_id, message_id, broker_message_id, partition_key, subject,
  content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live,
  scheduled_enqueue_time, headers, payload)
select m.hold_id, m.seq, m.created_at, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject,
  m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
  m.scheduled_enqueue_time, m.headers::text, m.payload
from moved m
order by m.place
on conflict do nothing
returning origin_position
