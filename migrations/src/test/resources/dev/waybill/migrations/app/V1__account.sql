create table account (id bigint primary key);
