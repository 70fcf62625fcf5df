-- Imports an order from its line {0}. Of two orders about a session the later one says whether live messages are meant.
insert into waybill.erasure_order as e
select o.* from jsonb_populate_record(null::waybill.erasure_order, {0}::jsonb) o
on conflict (digest) do update set
  live = case
    when e.kind = 'message' then e.live or excluded.live
    when excluded.applies_until >= e.applies_until then excluded.live
    else e.live end,
  applies_until = greatest(e.applies_until, excluded.applies_until)
