-- Which transaction wrote a row that waits, so that a relay need not look again where it has looked: below the place that
-- it has reached there is nothing but what transactions wrote that its snapshot did not see.
alter table outbox_scheduled add column xid xid8 not null default pg_current_xact_id();

comment on column outbox_scheduled.xid is 'the transaction that wrote the row as it is';

-- Also for those who update a row by hand, or bring rows from elsewhere with their columns as they were.
create function outbox_scheduled_written() returns trigger language plpgsql as $$
begin
    new.xid := pg_current_xact_id();
    return new;
end $$;

create trigger outbox_scheduled_written before insert or update on outbox_scheduled
    for each row execute function outbox_scheduled_written();

alter table outbox_scheduled enable always trigger outbox_scheduled_written;

create index outbox_scheduled_xid on outbox_scheduled (xid);
