-- Keeps the bodies of the messages {1} of the destination {0} until they are published again. A header may have any text.
update waybill.outbox_claim c set state = 'needed', state_since = clock_timestamp()
where c.state <> 'removing' and c.claim in (
  select case when m.headers ->> 'waybill-claim' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then (m.headers ->> 'waybill-claim')::uuid end
  from waybill.outbox_message m where m.destination = {0} and m.seq = any ({1}))
