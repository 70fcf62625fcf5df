-- Milliseconds until the relay has work: not above 0 if a message or a retry of a hold is due, null if nothing waits. One probe of the primary
-- key for each destination, whatever the statistics say of a table that is mostly empty.
-- Parameters: the destinations.
with asked as materialized (
  select * from unnest(?::text[]) a (destination)
)
select case
  when exists (
    select from asked a
    cross join lateral (select from waybill.outbox_message m where m.destination = a.destination limit 1) m) then 0
  else (
    select ceil(extract(epoch from min(w.due_at) - clock_timestamp()) * 1000)::bigint
    from (
      select s.due_at from asked a
      cross join lateral (
        select s.due_at from waybill.outbox_scheduled s where s.destination = a.destination order by s.due_at limit 1) s
      union all
      select h.due_at from asked a join waybill.outbox_hold h on h.destination = a.destination and h.state = 'retrying') w)
end
