-- The rights of each role. $schema and $role are replaced.

-- app
grant insert on $schema.outbox_claim, $schema.outbox_claim_body to $role;

-- relay
grant select on $schema.outbox_claim, $schema.outbox_claim_body to $role;
grant update, delete on $schema.outbox_claim to $role;
grant delete on $schema.outbox_claim_body to $role;

-- consumer
grant select on $schema.outbox_claim_body to $role;

-- operator
grant select on $schema.outbox_claim, $schema.outbox_claim_body to $role;
grant update on $schema.outbox_claim to $role;

-- eraser
grant select on $schema.outbox_claim, $schema.outbox_claim_body to $role;
grant delete on $schema.outbox_claim_body to $role;
grant update on $schema.outbox_claim to $role;

-- readonly
grant select on $schema.outbox_claim, $schema.outbox_claim_body to $role;
