-- Marks those of the claims {0} that nothing names any more, so that the relay removes their bodies. Only claims that are
-- published, or in the state {1}.
--
-- Headers are jsonb in the outbox and text in holds. A claim is found in either by its text.
update waybill.outbox_claim c set state = 'removing', state_since = clock_timestamp()
where c.claim = any({0}) and c.state in ('published', {1})
  and not exists (select from waybill.dead_letter_message d where d.claim = c.claim)
  and not exists (
    select from waybill.outbox_held_message h
    where h.message_id = c.message_id and position(c.claim::text in h.headers) > 0)
  and not exists (
    select from waybill.inbox_held_message h
    where h.message_id = c.message_id and position(c.claim::text in h.headers) > 0)
  and not exists (
    select from waybill.outbox_scheduled s
    where s.message_id = c.message_id and position(c.claim::text in s.headers::text) > 0)
  and not exists (
    select from waybill.outbox_message m
    where m.message_id = c.message_id
      and position(c.claim::text in m.headers::text) > 0)
