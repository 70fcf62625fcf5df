-- Notes that the broker has the messages of the claims {0}.
update waybill.outbox_claim set state = 'published', state_since = clock_timestamp()
where claim = any({0}) and state = 'needed'
