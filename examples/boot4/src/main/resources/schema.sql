create table if not exists orders (id text primary key, item text not null);
create table if not exists stock (item text primary key, pieces int not null);
create table if not exists audit (id bigint generated always as identity primary key, line text not null);
insert into stock values ('lamp', 10), ('chair', 10) on conflict do nothing;
