select row_security_active('waybill.outbox_message')
