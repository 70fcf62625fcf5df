-- Checks the next {1} claims after {0} that have been needed for a day. Notes as published those whose messages are neither
-- pending nor held, and which no dead letter names. Returns the number of checked claims and the last one.
--
-- A held message is found by the index on the hash of its id; its headers tell the claim. The list of pending claims is built
-- once, and only if needed.
with batch as materialized (
  select * from waybill.outbox_claim
  where state = 'needed' and state_since < statement_timestamp() - interval '1 day' and claim > {0}
  order by claim limit {1}
),
noted as (
  update waybill.outbox_claim n set state = 'published', state_since = clock_timestamp()
  from batch c
  where n.claim = c.claim and n.state = 'needed' and n.xid = c.xid
    and (c.claim::text in
      (select m.headers ->> 'waybill-claim' from waybill.outbox_message m where jsonb_exists(m.headers, 'waybill-claim')
       union all
       select s.headers ->> 'waybill-claim' from waybill.outbox_scheduled s where jsonb_exists(s.headers, 'waybill-claim'))
    ) is not true
    and not (exists (
      select from waybill.outbox_held_message h
      where hashtextextended(h.message_id collate "C", 0) = hashtextextended(c.message_id::text collate "C", 0)
        and h.message_id = c.message_id and position(c.claim::text in h.headers) > 0)
    or exists (
      select from waybill.inbox_held_message h
      where hashtextextended(h.message_id collate "C", 0) = hashtextextended(c.message_id::text collate "C", 0)
        and h.message_id = c.message_id and position(c.claim::text in h.headers) > 0)
    or exists (select from waybill.dead_letter_message d where d.claim = c.claim))
)
select (select count(*)::int from batch) as seen,
  (select claim from batch order by claim desc limit 1) as last
