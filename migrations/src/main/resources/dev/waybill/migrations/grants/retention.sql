-- The rights of each role. $schema and $role are replaced.

-- relay
grant select, insert on $schema.outbox_published to $role;
grant select on $schema.outbox_replay to $role;
grant execute on function $schema.outbox_published_trim(interval, text[]) to $role;

-- operator
grant select, delete on $schema.outbox_published to $role;
grant select on $schema.outbox_replay to $role;
grant insert, update on $schema.outbox_replay to $role;

-- eraser
grant select, delete on $schema.outbox_published to $role;
grant select on $schema.outbox_replay to $role;

-- readonly
grant select on $schema.outbox_published, $schema.outbox_replay to $role;
