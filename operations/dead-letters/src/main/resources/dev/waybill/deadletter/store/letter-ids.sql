-- Allocates {0} ids, and passes the gate of erasures: the second column is true if there are orders.
--
-- The commit waits for the disk, even where the server or the role has synchronous_commit = off. A letter that is stored is
-- completed on the broker, and a crash of the server must not lose it. For standbys the commit waits only where the session does
-- anyhow.
select array(select nextval('waybill.dead_letter_message_id_seq') from generate_series(1, {0})),
  waybill.erasure_gate(),
  set_config('synchronous_commit', case current_setting('synchronous_commit')
    when 'off' then 'local' else current_setting('synchronous_commit') end, true)
