create table if not exists stock (item text primary key, pieces int not null);
insert into stock values ('lamp', 10) on conflict do nothing;
