select claim from waybill.outbox_claim where state = 'removing' and destination = any({1}) limit {0}
