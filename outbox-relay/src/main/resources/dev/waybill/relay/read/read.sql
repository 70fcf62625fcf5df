-- Returns a header row (kind 0) and the pending rows (kind 1), from one snapshot. The sequence's last value and the log's
-- position are read after the snapshot, so they are not below what it shows.
--
-- Rows of a destination come in the order of their values, from its floor on, without those in memory. "not in (select unnest)"
-- is hashed once; "<> all (array)" would compare each row with each value.
-- The limits are a number of rows, and the first row that reaches the limit of bytes. octet_length reads no body.
-- A row of a held session comes marked and without its body, because it must join the hold before newer rows.
-- The server is identified by its start time, and by the reset of its statistics after a crash of a process. Both are numbers, whose
-- text does not depend on settings.
--
-- Parameters: destinations, floors, most rows, full lanes; the relay; values in memory; most bytes.
with asked as materialized (
  select * from unnest(?::text[], ?::bigint[], ?::integer[], ?::integer[]) with ordinality
    as a (destination, floor, most, full_lanes, place)
), states as (
  select coalesce(array_agg(case when d.owner = ? then d.epoch else -1 end order by a.place), '{}') as epochs,
    coalesce(array_agg(d.paused_at is null and coalesce(d.moves_until <= clock_timestamp(), true)
      order by a.place), '{}') as open
  from asked a left join waybill.outbox_destination d on d.destination = a.destination
)
select 0 as kind, pg_current_snapshot()::text as snapshot,
  (select last_value - case when is_called then 0 else 1 end from waybill.outbox_seq) as last_value,
  case when pg_current_wal_flush_lsn() < pg_current_wal_insert_lsn() then pg_current_wal_insert_lsn()::text end
    as unflushed,
  extract(epoch from pg_postmaster_start_time())::text || '/'
    || coalesce(extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text, '')
    as server,
  exists (
    select from waybill.outbox_hold
    where state = 'retrying' and due_at <= clock_timestamp()
      and (attempt_until is null or attempt_until <= clock_timestamp())) as held_due,
  s.epochs, s.open, null::text as destination, null::bigint as bytes, null::integer as lane, null::boolean as held,
  null::bigint as seq, null::bigint as age_micros, null::varchar as session_id, null::varchar as message_id,
  null::varchar as broker_message_id, null::varchar as partition_key, null::text as subject,
  null::text as content_type, null::text as correlation_id, null::text as to_address, null::text as reply_to,
  null::text as reply_to_session_id, null::bigint as time_to_live,
  null::timestamptz as scheduled_enqueue_time, null::jsonb as headers, null::bytea as payload
from states s
union all
select 1, null, null, null, null, null, null, null, a.destination, r.bytes, r.lane, r.held,
  r.seq, (date_part('epoch', clock_timestamp() - r.created_at) * 1000000)::bigint, r.session_id, r.message_id,
  r.broker_message_id, r.partition_key, r.subject,
  r.content_type, r.correlation_id, r.to_address, r.reply_to,
  r.reply_to_session_id, r.time_to_live,
  r.scheduled_enqueue_time, r.headers, case when r.held then '' else r.payload end
from asked a
cross join lateral (
  select w.*, sum(w.size) over (order by w.seq rows unbounded preceding) as bytes
  from (
    select m.*, octet_length(m.payload) + coalesce(pg_column_size(m.headers), 0) as size,
      (hashtextextended(lower(coalesce(m.session_id, m.message_id) collate "C"), 0) & 31)::integer as lane,
      m.session_id is not null and exists (
        select from waybill.outbox_hold h
        where h.destination = m.destination
          and h.key = length(m.session_id)::text || ':' || lower(m.session_id collate "C")) as held
    from waybill.outbox_message m
    where m.destination = a.destination and m.seq > a.floor
      and m.seq not in (select unnest(?::bigint[]))
      and (a.full_lanes = 0 or a.full_lanes >> (hashtextextended(
        lower(coalesce(m.session_id, m.message_id) collate "C"), 0) & 31)::integer & 1 = 0)
    order by m.seq
    limit a.most) w
  order by w.seq) r
where r.bytes - r.size < ?
