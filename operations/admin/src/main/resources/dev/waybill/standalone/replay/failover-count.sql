-- What a failover of the destination {0} sends again: the messages published since {1}. The values {2} lack their bodies. Messages
-- of a held session stay, because they would come behind those that the hold has. A sequence behind a value that was published was
-- reset: what was appended since has lower values.
select count(*) filter (where c.stays is null) as again,
  count(distinct lower(c.session_id collate "C")) filter (where c.stays is null) as sessions,
  min(c.published_at) filter (where c.stays is null) as oldest,
  max(c.published_at) filter (where c.stays is null) as newest,
  min(c.created_at) filter (where c.stays is null) as written,
  coalesce(max(c.seq) > (select last_value from waybill.outbox_seq), false) as reset,
  count(*) filter (where c.stays = 'held') as held,
  count(*) filter (where c.stays = 'bodiless') as bodiless
from (
  select p.seq, p.session_id, p.published_at, p.created_at, case
      when p.seq = any ({2}) then 'bodiless'
      when lower(p.session_id collate "C") in (
        select lower(h.session_id collate "C") from waybill.outbox_hold h
        where h.destination = {0} and h.session_id is not null)
      then 'held' end as stays
  from waybill.outbox_published p
  where p.destination = {0} and p.published_at >= {1}) c
