-- The rights of each role. $schema and $role are replaced.

-- relay
grant select on $schema.message_event, $schema.message_event_forgotten to $role;
grant execute on function $schema.message_event_trim() to $role;

-- consumer
grant insert on $schema.message_event to $role;
grant usage on sequence $schema.message_event_seq to $role;
grant execute on function $schema.message_event_trim() to $role;

-- operator
grant select on $schema.message_event, $schema.message_event_forgotten to $role;

-- eraser
grant select on $schema.message_event, $schema.message_event_forgotten to $role;
grant delete on $schema.message_event to $role;

-- readonly
grant select on $schema.message_event, $schema.message_event_forgotten to $role;
