-- The rights of each role. $schema and $role are replaced.

-- app
-- Not seq: a value from a writer would break the order.
grant insert (
    destination, session_id, message_id, broker_message_id, partition_key, subject, content_type,
    correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload,
    created_at)
    on $schema.outbox_message to $role;
grant usage on sequence $schema.outbox_seq to $role;
grant select, insert, update, delete on $schema.outbox_scheduled to $role;
-- For writers without the library, and for lists of more than a thousand sessions.
grant execute on function
    $schema.outbox_append(text, text, text, bytea, text, text, text, jsonb), $schema.outbox_exclude_writers()
    to $role;

-- relay
grant select on
    $schema.outbox_message, $schema.outbox_scheduled, $schema.outbox_destination, $schema.relay, $schema.outbox_hold,
    $schema.outbox_held_message, $schema.outbox_backlog, $schema.relay_alarm
    to $role;
-- Update, because a claim raises a sequence that is behind the messages, as after a restore.
grant select, usage, update on sequence $schema.outbox_seq to $role;
grant insert, delete on $schema.outbox_message to $role;
grant update, delete on $schema.outbox_scheduled to $role;
grant insert, update on $schema.outbox_destination to $role;
grant insert, update, delete on $schema.relay, $schema.outbox_hold, $schema.outbox_held_message to $role;
-- Every role has these, unless a hardened server has withdrawn them; then a superuser must run this.
do $do$ declare missing text; begin
    select string_agg(f, ', ') into missing
    from unnest(array[
        'pg_catalog.pg_current_wal_flush_lsn()', 'pg_catalog.pg_current_wal_insert_lsn()',
        'pg_catalog.pg_stat_get_bgwriter_stat_reset_time()', 'pg_catalog.pg_postmaster_start_time()',
        'pg_catalog.pg_logical_emit_message(boolean, text, text)',
        'pg_catalog.pg_logical_emit_message(boolean, text, text, boolean)', 'pg_catalog.pg_notify(text, text)']) f
    where has_function_privilege(to_regrole($r$$role$r$)::oid, to_regprocedure(f)::oid, 'execute') is false;
    if missing is not null then
        execute format('grant execute on function %s to %s', missing, $r$$role$r$);
    end if;
end $do$;

-- operator
grant select on
    $schema.outbox_message, $schema.outbox_scheduled, $schema.outbox_destination, $schema.relay, $schema.outbox_hold,
    $schema.outbox_held_message, $schema.outbox_backlog, $schema.relay_alarm
    to $role;
grant insert, update, delete on $schema.outbox_hold, $schema.outbox_held_message to $role;
grant insert, update on $schema.outbox_destination to $role;
-- Locks the owner of a destination during a migration.
grant update (name) on $schema.relay to $role;
-- Locks and cancels scheduled messages.
grant update, delete on $schema.outbox_scheduled to $role;
grant insert on $schema.outbox_message to $role;
grant usage, select on sequence $schema.outbox_seq to $role;

-- eraser
grant select on
    $schema.outbox_message, $schema.outbox_scheduled, $schema.outbox_destination, $schema.relay, $schema.outbox_hold,
    $schema.outbox_held_message, $schema.outbox_backlog, $schema.relay_alarm
    to $role;
grant delete on
    $schema.outbox_message, $schema.outbox_scheduled, $schema.outbox_hold, $schema.outbox_held_message
    to $role;
grant update on $schema.outbox_hold to $role;

-- readonly
grant select on
    $schema.outbox_message, $schema.outbox_scheduled, $schema.outbox_destination, $schema.relay, $schema.outbox_hold,
    $schema.outbox_held_message, $schema.outbox_backlog, $schema.relay_alarm
    to $role;
