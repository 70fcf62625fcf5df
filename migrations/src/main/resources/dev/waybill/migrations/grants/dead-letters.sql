-- The rights of each role. $schema and $role are replaced.

-- relay
grant select on
    $schema.dead_letter_message, $schema.dead_letter_state, $schema.dead_letter,
    $schema.dead_letter_version, $schema.dead_letter_archive, $schema.dead_letter_redrive,
    $schema.dead_letter_redrive_page, $schema.dead_letter_entity
    to $role;
grant insert on $schema.dead_letter_message, $schema.dead_letter_state to $role;
-- Completes a letter that was imported without its body.
grant update (payload, body_kind, emptied) on $schema.dead_letter_message to $role;
grant update (state, changed_at) on $schema.dead_letter_state to $role;
grant usage on sequence $schema.dead_letter_message_id_seq to $role;
grant insert, update on $schema.dead_letter_entity to $role;

-- consumer
grant select on $schema.dead_letter to $role;

-- operator
grant select on
    $schema.dead_letter_message, $schema.dead_letter_state, $schema.dead_letter,
    $schema.dead_letter_version, $schema.dead_letter_archive, $schema.dead_letter_redrive,
    $schema.dead_letter_redrive_page, $schema.dead_letter_entity
    to $role;
grant insert, update, delete on
    $schema.dead_letter_message, $schema.dead_letter_state, $schema.dead_letter_version,
    $schema.dead_letter_archive, $schema.dead_letter_redrive, $schema.dead_letter_redrive_page
    to $role;
-- FOR UPDATE on the view needs this right, although the joined rows cannot be updated.
grant update on $schema.dead_letter to $role;
grant usage on sequence $schema.dead_letter_message_id_seq to $role;

-- eraser
grant select on
    $schema.dead_letter_message, $schema.dead_letter_state, $schema.dead_letter,
    $schema.dead_letter_version, $schema.dead_letter_archive, $schema.dead_letter_redrive,
    $schema.dead_letter_redrive_page, $schema.dead_letter_entity
    to $role;
grant delete on
    $schema.dead_letter_message, $schema.dead_letter_state, $schema.dead_letter_version,
    $schema.dead_letter_archive
    to $role;
grant update on $schema.dead_letter, $schema.dead_letter_message, $schema.dead_letter_state to $role;

-- readonly
grant select on
    $schema.dead_letter_message, $schema.dead_letter_state, $schema.dead_letter,
    $schema.dead_letter_version, $schema.dead_letter_archive, $schema.dead_letter_redrive,
    $schema.dead_letter_redrive_page, $schema.dead_letter_entity
    to $role;
