-- The rights of each role. $schema and $role are replaced.

-- app
grant usage on schema $schema to $role;

-- relay
grant usage on schema $schema to $role;
grant select on $schema.hold, $schema.held_message, $schema.hold_audit, $schema.dead_letter_audit,
    $schema.outbox_pause_audit, $schema.outbox_scheduled_audit, $schema.erasure_order
    to $role;
grant insert, update, delete on $schema.hold, $schema.held_message to $role;
grant execute on function $schema.erasure_digest(text, text), $schema.erasure_gate() to $role;

-- consumer
grant usage on schema $schema to $role;
grant select, insert, update, delete on $schema.hold, $schema.held_message to $role;

-- operator
grant usage on schema $schema to $role;
grant select on $schema.hold, $schema.held_message, $schema.hold_audit, $schema.dead_letter_audit,
    $schema.outbox_pause_audit, $schema.outbox_scheduled_audit, $schema.erasure_order
    to $role;
grant insert, update, delete on $schema.hold, $schema.held_message to $role;
grant insert on $schema.hold_audit, $schema.dead_letter_audit, $schema.outbox_pause_audit, $schema.outbox_scheduled_audit
    to $role;
grant execute on function $schema.erasure_digest(text, text), $schema.erasure_gate() to $role;

-- eraser
grant usage on schema $schema to $role;
grant select on $schema.hold, $schema.held_message, $schema.hold_audit, $schema.dead_letter_audit,
    $schema.outbox_pause_audit, $schema.outbox_scheduled_audit, $schema.erasure_order
    to $role;
grant insert, update, delete on $schema.erasure_order to $role;
grant update, delete on $schema.hold to $role;
grant delete on $schema.held_message to $role;
grant update (before, after) on $schema.hold_audit to $role;
grant insert on $schema.dead_letter_audit to $role;
grant execute on function $schema.erasure_digest(text, text), $schema.erasure_gate(), $schema.erasure_barrier()
    to $role;

-- readonly
grant usage on schema $schema to $role;
grant select on $schema.hold, $schema.held_message, $schema.hold_audit, $schema.dead_letter_audit,
    $schema.outbox_pause_audit, $schema.outbox_scheduled_audit, $schema.erasure_order
    to $role;
grant execute on function $schema.erasure_digest(text, text) to $role;
