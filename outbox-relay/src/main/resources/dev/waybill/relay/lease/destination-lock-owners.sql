-- Locks the rows of those who own the destinations {0}, as far as nobody has locked them. A heartbeat of an owner is either before
-- the claim, which then sees it, or after it.
select r.id from waybill.relay r
where r.id = any (array(select d.owner from waybill.outbox_destination d where d.destination = any ({0})))
order by r.id for update skip locked
