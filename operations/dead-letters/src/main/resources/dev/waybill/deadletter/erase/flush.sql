-- Waits for the disk with everything that is committed, even where synchronous_commit is off. A commit waits only if its
-- transaction has written to the log; the message is the least that can be written.
select
  set_config('synchronous_commit', case current_setting('synchronous_commit')
    when 'off' then 'local' else current_setting('synchronous_commit') end, true),
  pg_logical_emit_message(true, 'waybill', 'flush')::text
