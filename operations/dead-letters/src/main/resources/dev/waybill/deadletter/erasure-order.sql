-- Orders that the messages or sessions {1} be erased: kind {0}, whether live messages too {2}, operator {3}, reason {4}.
--
-- An order about a session is about its messages up to now, and five minutes more: the clock of the broker may be ahead. Of two
-- orders about a session the last one says whether live messages are meant, because it is about all of the session. A message by
-- its id stays the same message: once live messages were meant, they are meant.
insert into waybill.erasure_order as e (digest, kind, live, applies_until, operator, reason)
select waybill.erasure_digest({0}, i.id), {0}, {2},
  case {0} when 'message' then 'infinity' else clock_timestamp() + interval '5 minutes' end, {3}, {4}
from unnest({1}) as i(id)
on conflict (digest) do update set
  live = case when e.kind = 'message' then e.live or excluded.live else excluded.live end,
  applies_until = greatest(e.applies_until, excluded.applies_until)
returning digest
