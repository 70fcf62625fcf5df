-- Appends copies of letters to the outbox. Parameters, of each letter: id, destination, broker id, headers. Bodies never leave
-- the database.
insert into waybill.outbox_message (destination, broker_message_id, session_id, message_id, partition_key, subject,
  content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, headers, payload)
select o.destination, o.broker_id, m.session_id, m.message_id, m.partition_key, m.subject,
  m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
  o.headers::jsonb, m.payload
from unnest(?, ?, ?, ?) with ordinality as o(id, destination, broker_id, headers, place)
join waybill.dead_letter_message m on m.id = o.id
order by o.place
