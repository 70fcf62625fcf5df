select destination, refusal_reason, refusal_description, refused_at, refusal_seen_at
from waybill.outbox_destination where refusal_seen_at > clock_timestamp() - interval '5 minutes'
