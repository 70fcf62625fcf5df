-- Moves refused rows of the destination {0} to their holds. Only a row that this statement moves opens a hold. The
-- destination is a column, because a constant would allow a scan of all its rows.
--
-- For each row: value {1}, message id {2}, session {3}, its message id if it is held alone {4}, key of the hold {5}, reason
-- {6}, description {7}.
with given as materialized (
  select {0}::text as destination, * from unnest({1}, {2}, {3}, {4}, {5}, {6}, {7}) with ordinality
    as g (seq, message_id, session, alone, key, reason, description, place)
), moved as (
  delete from waybill.outbox_message m using given g
  where m.destination = g.destination and m.seq = g.seq and m.message_id = g.message_id
  returning g.key, g.place, g.session, g.alone, g.reason, g.description, m.*
), opened as (
  insert into waybill.outbox_hold as h (destination, session_id, message_id, state, reason, description, times_parked)
  select distinct on (key) destination, session, alone, 'parked', reason, description, 1
  from moved order by key, place
  on conflict (destination, key) do update set
    state = 'parked', reason = excluded.reason, description = excluded.description,
    times_parked = h.times_parked + case h.state when 'parked' then 0 else 1 end,
    changed_at = clock_timestamp()
  returning id, key
)
insert into waybill.outbox_held_message (
  hold_id, origin_position, origin_time, session_id, message_id, broker_message_id, partition_key, subject,
  content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live,
  scheduled_enqueue_time, headers, payload)
select h.id, m.seq, m.created_at, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject,
  m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
  m.scheduled_enqueue_time, m.headers::text, m.payload
from moved m join opened h on h.key = m.key
order by m.place
on conflict do nothing
returning origin_position
