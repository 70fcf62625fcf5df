-- In place of one lock for each of very many sessions, which would use up the lock table of the whole cluster: waits for all
-- transactions that have appended, and lets nobody else append until this one ends. Every insert meets this lock, also one
-- by a writer of the version before or by plain SQL. Reading goes on.
--
-- Runs as the owner, because PostgreSQL allows this lock to nobody who may only insert. Hence the qualified names, and the
-- check that the caller may append.
do $do$ begin
    execute format($create$
        create function outbox_exclude_writers() returns void language plpgsql security definer
            set search_path to pg_catalog, pg_temp as $$
        begin
            if not has_table_privilege(
                case current_setting('role') when 'none' then session_user else current_setting('role') end,
                '%1$I.outbox_message', 'insert')
            then
                raise exception 'permission denied for table outbox_message' using errcode = '42501';
            end if;
            lock table only %1$I.outbox_message in share row exclusive mode;
        end $$
        $create$, current_schema());
end $do$;
