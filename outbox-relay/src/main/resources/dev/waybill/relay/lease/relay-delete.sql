delete from waybill.relay where id = {0}
