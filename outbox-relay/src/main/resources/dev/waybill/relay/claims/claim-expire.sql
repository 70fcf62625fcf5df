-- Marks for removal up to {1} claims that have been published for {0} milliseconds, unless their message waits again or is held, or a
-- dead letter names them.
--
-- Ids of messages are unique enough to find the few held ones by, with the index on their hashes; which of them has the claim
-- tells the text. The list of what waits is built once, and only if it is asked.
update waybill.outbox_claim set state = 'removing', state_since = clock_timestamp()
where claim in (
  select c.claim from waybill.outbox_claim c
  where c.state = 'published' and c.state_since < statement_timestamp() - {0} * interval '1 millisecond'
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
