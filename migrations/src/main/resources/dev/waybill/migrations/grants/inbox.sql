-- The rights of each role. $schema and $role are replaced.

-- relay
grant select on $schema.inbox_hold, $schema.inbox_held_message to $role;
grant select on
    $schema.inbox_message, $schema.inbox_start, $schema.inbox_session, $schema.inbox_instance,
    $schema.inbox_consumer, $schema.inbox_acceptance, $schema.inbox_alarm
    to $role;

-- consumer
grant select, insert, update, delete on $schema.inbox_hold, $schema.inbox_held_message to $role;
grant select, insert, delete on $schema.inbox_message to $role;
grant select, insert, update, delete on
    $schema.inbox_start, $schema.inbox_session, $schema.inbox_instance, $schema.inbox_consumer,
    $schema.inbox_acceptance
    to $role;
grant usage on sequence $schema.inbox_acceptance_seq to $role;

-- operator
grant select, insert, update, delete on $schema.inbox_hold, $schema.inbox_held_message to $role;
grant select on
    $schema.inbox_message, $schema.inbox_start, $schema.inbox_session, $schema.inbox_instance,
    $schema.inbox_consumer, $schema.inbox_acceptance, $schema.inbox_alarm
    to $role;
grant insert on $schema.inbox_message to $role;

-- eraser
grant select, delete on $schema.inbox_hold, $schema.inbox_held_message to $role;
grant update on $schema.inbox_hold to $role;
grant select on
    $schema.inbox_message, $schema.inbox_start, $schema.inbox_session, $schema.inbox_instance,
    $schema.inbox_consumer, $schema.inbox_acceptance, $schema.inbox_alarm
    to $role;
grant insert on $schema.inbox_message to $role;

-- readonly
grant select on $schema.inbox_hold, $schema.inbox_held_message to $role;
grant select on
    $schema.inbox_message, $schema.inbox_start, $schema.inbox_session, $schema.inbox_instance,
    $schema.inbox_consumer, $schema.inbox_acceptance, $schema.inbox_alarm
    to $role;
