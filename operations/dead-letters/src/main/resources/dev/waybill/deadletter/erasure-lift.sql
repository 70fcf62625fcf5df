-- Withdraws the orders about the messages or sessions {1}: kind {0}.
delete from waybill.erasure_order
where digest in (select waybill.erasure_digest({0}, i.id) from unnest({1}) as i(id))
returning digest
