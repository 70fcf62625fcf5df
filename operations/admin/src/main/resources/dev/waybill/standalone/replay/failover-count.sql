-- What a failover of the destination {0} sends again: the messages published since {1}. The values {2} lack their bodies. Held is
-- how many messages of their sessions are held. A sequence behind a value that was published was reset: what was appended since has
-- lower values. The broker counts a time to live from the arrival; what has expired stays.
select count(*) filter (where not c.bodiless and not c.expired) as again,
  count(distinct lower(c.session_id collate "C")) filter (where not c.bodiless and not c.expired) as sessions,
  min(c.published_at) filter (where not c.bodiless and not c.expired) as oldest,
  max(c.published_at) filter (where not c.bodiless and not c.expired) as newest,
  min(c.created_at) filter (where not c.bodiless and not c.expired) as written,
  coalesce(max(c.seq) > (select last_value from waybill.outbox_seq), false) as reset,
  (select count(*) from waybill.outbox_hold h join waybill.outbox_held_message m on m.hold_id = h.id
    where h.destination = {0} and h.message_id is null and lower(h.session_id collate "C") in (
      select lower(p.session_id collate "C") from waybill.outbox_published p
      where p.destination = {0} and p.published_at >= {1})) as held,
  count(*) filter (where c.bodiless and not c.expired) as bodiless,
  count(*) filter (where c.expired) as expired
from (
  select p.seq, p.session_id, p.published_at, p.created_at, p.seq = any ({2}) as bodiless,
    (extract(epoch from clock_timestamp() - greatest(p.published_at, p.scheduled_enqueue_time)) * 1000 > p.time_to_live) is true as expired
  from waybill.outbox_published p
  where p.destination = {0} and p.published_at >= {1}) c
