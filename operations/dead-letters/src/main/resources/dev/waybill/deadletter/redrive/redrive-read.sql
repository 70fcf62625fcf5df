-- Reads the letters with these ids, in this order. A statement of its own: redrive-close.sql may have waited for an edit, and
-- would not see what the edit has written.
select m.id, m.entity, m.reason, m.enqueued_at, m.deliveries, m.redrives, m.sequence_number, m.session_id,
  m.message_id, m.headers, m.claim is not null, octet_length(m.payload), m.body_kind,
  coalesce(m.first_enqueued_at, m.enqueued_at), coalesce(m.first_sequence_number, m.sequence_number),
  m.emptied is not null
from unnest(?) with ordinality as i(id, place) join waybill.dead_letter_message m using (id)
order by i.place
