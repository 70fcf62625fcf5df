-- Marks up to {1} claims of the destinations {2} for removal that have been published for {0} milliseconds, unless their message is
-- pending or held again, or a dead letter names them.
--
-- A held message is found by the index on the hash of its id; its headers tell the claim. The list of pending claims is built
-- once, and only if needed.
update waybill.outbox_claim set state = 'removing', state_since = clock_timestamp()
where claim in (
  select c.claim from waybill.outbox_claim c
  where c.state = 'published' and c.destination = any({2}) and c.state_since < statement_timestamp() - {0} * interval '1 millisecond'
    and not (exists (
      select from waybill.outbox_held_message h
      where hashtextextended(h.message_id collate "C", 0) = hashtextextended(c.message_id::text collate "C", 0)
        and h.message_id = c.message_id and position(c.claim::text in h.headers) > 0)
    or exists (
      select from waybill.inbox_held_message h
      where hashtextextended(h.message_id collate "C", 0) = hashtextextended(c.message_id::text collate "C", 0)
        and h.message_id = c.message_id and position(c.claim::text in h.headers) > 0)
    or exists (select from waybill.dead_letter_message d where d.claim = c.claim))
    and (c.claim::text in
      (select m.headers ->> 'waybill-claim' from waybill.outbox_message m where jsonb_exists(m.headers, 'waybill-claim')
       union all
       select s.headers ->> 'waybill-claim' from waybill.outbox_scheduled s where jsonb_exists(s.headers, 'waybill-claim'))
    ) is not true
  limit {1}
  for update skip locked)
