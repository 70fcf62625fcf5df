-- The rights of each role. $schema and $role are replaced.

-- app
grant usage on schema $schema to $role;

-- relay
grant usage on schema $schema to $role;
grant select on $schema.operator_action, $schema.erasure_order to $role;
grant execute on function $schema.erasure_digest(text, text), $schema.erasure_gate() to $role;

-- consumer
grant usage on schema $schema to $role;

-- operator
grant usage on schema $schema to $role;
grant select on $schema.operator_action, $schema.erasure_order to $role;
grant insert on $schema.operator_action to $role;
grant execute on function $schema.erasure_digest(text, text), $schema.erasure_gate() to $role;

-- eraser
grant usage on schema $schema to $role;
grant select on $schema.operator_action, $schema.erasure_order to $role;
grant insert, update, delete on $schema.erasure_order to $role;
grant insert, update (before, after) on $schema.operator_action to $role;
grant execute on function $schema.erasure_digest(text, text), $schema.erasure_gate(), $schema.erasure_barrier()
    to $role;

-- readonly
grant usage on schema $schema to $role;
grant select on $schema.operator_action, $schema.erasure_order to $role;
grant execute on function $schema.erasure_digest(text, text) to $role;
