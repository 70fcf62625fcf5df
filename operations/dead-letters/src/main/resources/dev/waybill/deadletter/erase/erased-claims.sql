-- The claims of messages that the orders {0} name, although no row names the claims any more.
select m.claim from waybill.outbox_claim m
where m.state <> 'removing' and exists (
  select from waybill.erasure_order o
  where o.digest = any({0}) and o.digest in (waybill.erasure_digest('message', m.message_id), m.digest)
    and m.created_at <= o.applies_until)
