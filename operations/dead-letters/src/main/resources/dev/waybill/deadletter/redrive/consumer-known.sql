-- Whether a consumer with the name {0} has ever run in this database. The last table is read until an id of the consumer is
-- found: all of it for a name that was mistyped.
select exists (select from waybill.inbox_consumer where name = {0})
  or exists (select from waybill.inbox_instance where consumer = {0})
  or exists (select from waybill.inbox_hold where consumer = {0})
  or exists (select from waybill.inbox_message where consumer = {0})
