create table if not exists wallet (id text primary key, cents bigint not null);
create table if not exists payment (id text primary key, wallet text not null, cents bigint not null, state text not null);
create table if not exists transfer (id text primary key, state text not null);
create table if not exists statement_line (line serial primary key, wallet text not null, cause text not null, balance bigint not null);
create table if not exists fraud_alert (cause text primary key, wallet text not null);
