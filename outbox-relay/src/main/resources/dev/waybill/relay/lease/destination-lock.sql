-- Locks those of the destinations {0} that nobody has locked.
select d.destination from waybill.outbox_destination d
where d.destination = any ({0}) order by d.destination for update skip locked
