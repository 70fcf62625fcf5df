-- Keeps the bodies of the messages {1} of the destination {0} until they are published again.
update waybill.outbox_claim c set state = 'needed', state_since = clock_timestamp()
where c.state <> 'removing' and c.claim::text in (
  select m.headers ->> 'waybill-claim' from waybill.outbox_message m where m.destination = {0} and m.seq = any ({1}))
