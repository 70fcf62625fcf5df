-- Ids that consumers have recorded, by the key that the inbox makes of the name of the consumer and the id.
--
-- Parameters: the logical ids {0}, and how many rows are wanted {1}; the latest come.
select 'inbox' as side, c.name as place, i.id as message_id, m.handled_at as at
from unnest({0}) as i(id)
cross join (select name from waybill.inbox_consumer union select name from waybill.inbox_key_owner) c
cross join lateral (
    select t.handled_at from waybill.inbox_message t
    where t.key = encode(substring(sha256(
        int4send(octet_length(convert_to(c.name, 'UTF8')))
            || convert_to(c.name, 'UTF8') || convert_to(i.id, 'UTF8')), 1, 16), 'hex')::uuid
    limit 1) m
order by m.handled_at desc limit {1}
