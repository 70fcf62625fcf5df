-- The rights of each role. $schema and $role are replaced.

-- relay
grant select on $schema.inbox_response, $schema.inbox_key_owner to $role;

-- consumer
grant select, insert, update, delete on $schema.inbox_response to $role;
grant select, insert on $schema.inbox_key_owner to $role;

-- operator
grant select on $schema.inbox_response, $schema.inbox_key_owner to $role;

-- eraser
grant select on $schema.inbox_response, $schema.inbox_key_owner to $role;
grant delete on $schema.inbox_response to $role;

-- readonly
grant select on $schema.inbox_response, $schema.inbox_key_owner to $role;
