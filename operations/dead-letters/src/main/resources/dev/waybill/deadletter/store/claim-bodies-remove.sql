-- Removes the bodies of those of the claims {0} that are marked, where bodies are in the database.
delete from waybill.outbox_claim_body b using waybill.outbox_claim c
where b.claim = any({0}) and c.claim = b.claim and c.state = 'removing'
