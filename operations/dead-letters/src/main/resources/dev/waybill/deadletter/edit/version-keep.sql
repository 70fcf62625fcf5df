-- Keeps the content of the letter {0} as its former version.
insert into waybill.dead_letter_version (dead_letter, version, session_id, partition_key, subject, content_type,
  correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, headers, body_kind, payload)
select id, version, session_id, partition_key, subject, content_type, correlation_id, to_address, reply_to,
  reply_to_session_id, time_to_live, headers, body_kind, payload
from waybill.dead_letter_message where id = {0}
