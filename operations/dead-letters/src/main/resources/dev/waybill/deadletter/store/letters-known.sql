-- The places in the arrays of those letters that are stored: message ids {0}, keys {1}.
select a.place::integer
from unnest({0}, {1}) with ordinality as a(message_id, key, place)
join waybill.dead_letter_message m using (message_id, key)
