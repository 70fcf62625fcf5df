-- Inserts the relay {0} with name {8}, alive for {1} milliseconds, serving {2}. Its states: destinations {3}, states {4} for
-- {5} milliseconds, details {6}, messages per second {7}. Follows migrations: {9}. It publishes
-- the destinations {10} to the places {11}.
insert into waybill.relay (id, alive_until, serving, destinations, states, since, details, rates, name, follows_entities,
  places)
values ({0}, clock_timestamp() + {1} * interval '1 millisecond', {2}, {3}, {4},
  array(select clock_timestamp() - age * interval '1 millisecond'
    from unnest({5}::bigint[]) with ordinality as a(age, place) order by place),
  {6}, {7}, {8}, {9}, jsonb_object({10}, {11}))
