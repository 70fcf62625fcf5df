-- A collector of the entity {0} (transfer dead letters: {1}) with the destination {2} is alive for the next {3} ms.
insert into waybill.dead_letter_entity as e (entity, transfer, destination, alive_until)
values ({0}, {1}, {2}, clock_timestamp() + {3} * interval '1 millisecond')
on conflict (entity, transfer) do update set destination = excluded.destination,
  alive_until = greatest(e.alive_until, excluded.alive_until)
