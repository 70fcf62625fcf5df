-- A busy outbox is analysed about once a minute, and PostgreSQL takes its sample by the most that any column asks for: 30,000
-- rows with their bodies by default, which it sorts. Nobody asks the planner about bodies, and a tenth of the rows tells
-- it enough of the others. The partitions inherit it.

alter table outbox_message
    alter column xid set statistics 10,
    alter column seq set statistics 10,
    alter column destination set statistics 10,
    alter column session_id set statistics 10,
    alter column message_id set statistics 10,
    alter column created_at set statistics 10,
    alter column broker_message_id set statistics 0,
    alter column partition_key set statistics 0,
    alter column subject set statistics 0,
    alter column content_type set statistics 0,
    alter column correlation_id set statistics 0,
    alter column to_address set statistics 0,
    alter column reply_to set statistics 0,
    alter column reply_to_session_id set statistics 0,
    alter column time_to_live set statistics 0,
    alter column scheduled_enqueue_time set statistics 0,
    alter column headers set statistics 0,
    alter column payload set statistics 0;

-- Indexes do not inherit it: the bucket in those that lanes are read by.
do $$
declare
    partition_index regclass;
begin
    for partition_index in
        select inhrelid from pg_inherits where inhparent = 'outbox_message_cursor'::regclass
    loop
        execute format('alter index %s alter column 2 set statistics 10', partition_index);
    end loop;
end $$;
