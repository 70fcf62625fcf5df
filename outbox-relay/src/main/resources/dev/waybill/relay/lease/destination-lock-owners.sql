-- Locks the owners of the destinations {0}, except locked ones. An owner's heartbeat then runs before the claim, which sees it,
-- or after.
select r.id from waybill.relay r
where r.id = any (array(select d.owner from waybill.outbox_destination d where d.destination = any ({0})))
order by r.id for update skip locked
