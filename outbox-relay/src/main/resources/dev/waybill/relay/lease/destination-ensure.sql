-- Inserts the missing rows of the destinations {0}.
insert into waybill.outbox_destination (destination)
select d from unnest({0}::text[]) as d order by d
on conflict (destination) do nothing
