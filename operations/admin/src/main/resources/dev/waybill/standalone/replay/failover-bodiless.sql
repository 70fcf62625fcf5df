-- The values of the messages of the destination {0}, published since {1}, whose bodies in the claim store are gone.
select p.seq
from waybill.outbox_published p
where p.destination = {0} and p.published_at >= {1} and jsonb_exists(p.headers, 'waybill-claim')
  and not exists (select from waybill.outbox_claim c
    where c.claim::text = p.headers ->> 'waybill-claim' and c.state <> 'removing')
