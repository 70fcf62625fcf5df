-- Locks the destinations {0}, except locked ones.
select d.destination from waybill.outbox_destination d
where d.destination = any ({0}) order by d.destination for update skip locked
