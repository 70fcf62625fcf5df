-- The rights of each role. $schema and $role are replaced.

-- relay
grant select on $schema.inbox_deferral, $schema.inbox_resumption to $role;

-- consumer
grant select, insert, update, delete on $schema.inbox_deferral, $schema.inbox_resumption to $role;

-- operator
grant select on $schema.inbox_deferral, $schema.inbox_resumption to $role;

-- eraser
grant select on $schema.inbox_deferral, $schema.inbox_resumption to $role;

-- readonly
grant select on $schema.inbox_deferral, $schema.inbox_resumption to $role;
