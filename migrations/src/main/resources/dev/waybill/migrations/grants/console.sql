-- The rights of each role. $schema and $role are replaced.

-- relay
grant select on $schema.console_session, $schema.outbox_sample to $role;
grant insert, update, delete on $schema.console_session, $schema.outbox_sample to $role;

-- operator
grant select on $schema.console_session, $schema.outbox_sample to $role;

-- eraser
grant select on $schema.console_session, $schema.outbox_sample to $role;

-- readonly
grant select on $schema.console_session, $schema.outbox_sample to $role;
