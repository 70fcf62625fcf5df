select destination, paused_at, paused_by, pause_reason
from waybill.outbox_destination where paused_at is not null order by destination
