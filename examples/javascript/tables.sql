create table inbox (
    consumer text, id text, handled_at timestamptz not null default now(), primary key (consumer, id));

-- The service's own.
create table booking (
    place bigint generated always as identity, wallet text not null, message text not null, cents bigint not null);
