-- Keeps the bodies outside of the letters {0}, whose copies need them again.
update waybill.outbox_claim c
set state = 'needed', state_since = clock_timestamp(), xid = pg_current_xact_id()
from waybill.dead_letter_message m
where m.id = any({0}) and m.claim = c.claim and c.state <> 'removing'
