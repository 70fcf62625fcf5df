-- The entity that a migration has put into force for the destination {0}; no row without one.
select entity, entity_partitioned from waybill.outbox_destination where destination = {0} and entity is not null
