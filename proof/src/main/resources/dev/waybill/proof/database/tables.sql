-- The business of the proof: transfers between accounts. A place counts the commits of one session: its row is locked from
-- the write to the commit, so its number is the order of commits, whatever Waybill does.
create table account (id text primary key, balance bigint not null);
create table truth_place (session text primary key, n bigint not null);
create table truth (
    id text primary key, session text not null, n bigint not null, cents bigint not null, style text not null,
    notified boolean not null);
create table effect_place (consumer text, session text, n bigint not null, primary key (consumer, session));
-- No unique key: an effect that happens twice must show.
create table effect (consumer text not null, session text not null, n bigint not null, id text not null, cents bigint not null);
create index effect_id on effect (id);
-- What the operator has decided.
create table cured (consumer text, id text, primary key (consumer, id));
create table skipped (consumer text, id text, primary key (consumer, id));
create table operator_deed (id bigserial primary key, at timestamptz not null default clock_timestamp(), verb text not null, subject text not null);
-- Loaded by the checker: what a subscription without consumers has shown, in the order of the broker.
create table arrival (life int not null, seq bigint not null, session text, id text not null);
-- Copies of these were sent behind later messages, by a replay.
create table replayed (id text primary key);
