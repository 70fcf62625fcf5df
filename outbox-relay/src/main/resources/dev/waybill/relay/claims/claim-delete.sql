delete from waybill.outbox_claim where claim = any({0})
