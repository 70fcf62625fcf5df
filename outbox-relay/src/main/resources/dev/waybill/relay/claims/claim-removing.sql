select claim from waybill.outbox_claim where state = 'removing' limit {0}
