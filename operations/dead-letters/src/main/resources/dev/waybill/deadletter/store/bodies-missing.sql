-- Which letters are stored without their bodies: message ids {0}, keys {1}. Takes no lock, because as a rule there is none, and
-- a collector may not have the right to lock.
select m.id, a.place::integer
from unnest({0}, {1}) with ordinality as a(message_id, key, place)
join waybill.dead_letter_message m using (message_id, key)
where m.emptied = 'without-body'
