-- The rights of each role. $schema and $role are replaced.

-- relay
grant select on $schema.inbox_state to $role;

-- consumer
grant select, insert, update, delete on $schema.inbox_state to $role;

-- operator
grant select on $schema.inbox_state to $role;

-- eraser
grant select on $schema.inbox_state to $role;
grant delete on $schema.inbox_state to $role;

-- readonly
grant select on $schema.inbox_state to $role;
