delete from waybill."dead_letter_message" where (waybill."dead_letter_message"."id" = any(cast($1 as bigint[])));

delete from waybill."dead_letter_state" where (waybill."dead_letter_state"."id" = any(cast($1 as bigint[])));

delete from waybill."held_message" where (waybill."held_message"."hold_id" = $1 and waybill."held_message"."place" in ($2));

delete from waybill."hold" where waybill."hold"."id" = $1;

delete from waybill."outbox_pause" where waybill."outbox_pause"."destination" = $1;

delete from waybill."outbox_refusal" where waybill."outbox_refusal"."destination" = $1;

delete from waybill.dead_letter_archive where id = any($1);

delete from waybill.dead_letter_version where dead_letter = any(cast($1 as bigint[]));

delete from waybill.erasure_order where digest = waybill.erasure_digest($1, $2);

delete from waybill.inbox_instance where id = $1;

delete from waybill.inbox_response r using waybill.inbox_message m
where r.key = m.key and (exists (select from waybill.erasure_order o where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', null::text)) and m.handled_at <= o.applies_until) or m.message_id in (
select m.message_id from waybill.dead_letter_message m where exists (select from waybill.erasure_order o where o.digest = any(cast($2 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and coalesce(m.first_enqueued_at, m.enqueued_at) <= o.applies_until)
union all select m.message_id from waybill.outbox_row m where exists (select from waybill.erasure_order o where o.digest = any(cast($3 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.created_at <= o.applies_until)
union all select m.message_id from waybill.outbox_scheduled m where exists (select from waybill.erasure_order o where o.digest = any(cast($4 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.created_at <= o.applies_until)
union all select m.message_id from waybill.held_message m where exists (select from waybill.erasure_order o where o.digest = any(cast($5 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.origin_time <= o.applies_until)
union all select coalesce(m.before, m.after)->>'message_id' from waybill.hold_audit m where exists (select from waybill.erasure_order o where o.digest = any(cast($6 as uuid[])) and o.digest in (waybill.erasure_digest('message', coalesce(m.before, m.after)->>'message_id'), waybill.erasure_digest('session', coalesce(m.before, m.after)->>'session_id')) and coalesce((coalesce(m.before, m.after)->>'origin_time')::timestamptz, (coalesce(m.before, m.after)->>'held_at')::timestamptz, m.at) <= o.applies_until)));

delete from waybill.inbox_resumption where consumer = $1 and seen_at < clock_timestamp() - greatest($2::bigint, (select max(longest_attempt) from waybill.inbox_instance where consumer = $3)) * interval '1 millisecond';

delete from waybill.inbox_resumption where resumed_at < clock_timestamp() - interval '30 days';

delete from waybill.inbox_start where key = $1;

delete from waybill.inbox_state m where exists (select from waybill.erasure_order o where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', null::text), waybill.erasure_digest('session', m.session_id)) and m.changed_at <= o.applies_until);

delete from waybill.outbox_message m where exists (select from waybill.erasure_order o where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.created_at <= o.applies_until and o.live) and not (exists (
select from waybill.outbox_cursor c
where c.destination = m.destination and c.bucket = waybill.outbox_bucket(m.session_id, m.message_id)
and waybill.outbox_is_published(m.xid, m.seq, c.position, c.snapshot, c.next_xid))
) returning substring(m.headers::text from '"waybill-claim": ?"([0-9a-f-]{36})"')::uuid;

delete from waybill.outbox_message m where exists (select from waybill.erasure_order o where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.created_at <= o.applies_until) and exists (
select from waybill.outbox_cursor c
where c.destination = m.destination and c.bucket = waybill.outbox_bucket(m.session_id, m.message_id)
and waybill.outbox_is_published(m.xid, m.seq, c.position, c.snapshot, c.next_xid))
returning substring(m.headers::text from '"waybill-claim": ?"([0-9a-f-]{36})"')::uuid;

delete from waybill.outbox_scheduled m where exists (select from waybill.erasure_order o where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.created_at <= o.applies_until and o.live) and true returning substring(m.headers::text from '"waybill-claim": ?"([0-9a-f-]{36})"')::uuid;

delete from waybill.outbox_straggler m where exists (select from waybill.erasure_order o where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.created_at <= o.applies_until and o.live) and not (exists (
select from waybill.outbox_cursor c
where c.destination = m.destination and c.bucket = waybill.outbox_bucket(m.session_id, m.message_id)
and waybill.outbox_is_published(m.xid, m.seq, c.position, c.snapshot, c.next_xid))
) returning substring(m.headers::text from '"waybill-claim": ?"([0-9a-f-]{36})"')::uuid;

delete from waybill.outbox_straggler m where exists (select from waybill.erasure_order o where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.created_at <= o.applies_until) and exists (
select from waybill.outbox_cursor c
where c.destination = m.destination and c.bucket = waybill.outbox_bucket(m.session_id, m.message_id)
and waybill.outbox_is_published(m.xid, m.seq, c.position, c.snapshot, c.next_xid))
returning substring(m.headers::text from '"waybill-claim": ?"([0-9a-f-]{36})"')::uuid;

delete from waybill.outbox_straggler where ctid = any(array(
select s.ctid from waybill.outbox_straggler s join waybill.outbox_cursor c
on c.destination = s.destination and c.bucket = waybill.outbox_bucket(s.session_id, s.message_id)
where waybill.outbox_is_published(s.xid, s.seq, c.position, c.snapshot, c.next_xid)
and not exists (
select from waybill.outbox_replay r
where r.destination = s.destination and r.state = 'running'
and s.seq > r.position and s.seq <= r.last_seq)
limit $1));

delete from waybill.relay_instance i
where i.id <> cast($1 as uuid) and i.started_at < clock_timestamp() - interval '1 hour'
and not exists (
select from waybill.relay_beat b
where b.relay = i.id and b.alive_until > clock_timestamp() - interval '1 hour')
and not exists (select from waybill.outbox_lane l where l.owner = i.id);

delete from waybill.relay_instance where id = cast($1 as uuid);

insert into waybill."dead_letter_audit" ("dead_letters", "redrive", "action", "operator", "reason", "before", "after") values (cast($1 as bigint[]), $2, $3, $4, $5, cast($6 as jsonb), cast($7 as jsonb));

insert into waybill."dead_letter_redrive" ("way", "target", "canary", "rate", "operator", "reason") values ($1, $2, $3, $4, $5, $6) returning waybill."dead_letter_redrive"."id";

insert into waybill."dead_letter_redrive_page" ("redrive", "page", "dead_letters") select $1, ("ordered"."place" / 500), array_agg("ordered"."id" order by "ordered"."place") from (select waybill."dead_letter"."id", (row_number() over (order by coalesce(waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."enqueued_at"), coalesce(waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."sequence_number"), waybill."dead_letter"."id") - $2) as "place" from waybill."dead_letter" where ((waybill."dead_letter"."id" = any(cast($3 as bigint[]))) and waybill."dead_letter"."state" in ($4))) as "ordered" group by ("ordered"."place" / 500);

insert into waybill."dead_letter_redrive_page" ("redrive", "page", "dead_letters") select $1, ("ordered"."place" / 500), array_agg("ordered"."id" order by "ordered"."place") from (select waybill."dead_letter"."id", (row_number() over (order by coalesce(waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."enqueued_at"), coalesce(waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."sequence_number"), waybill."dead_letter"."id") - $2) as "place" from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $3 and waybill."dead_letter"."state" in ($4) and waybill."dead_letter"."changed_at" <= cast($5 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($6))) as "ordered" group by ("ordered"."place" / 500);

insert into waybill."dead_letter_redrive_page" ("redrive", "page", "dead_letters") select $1, ("ordered"."place" / 500), array_agg("ordered"."id" order by "ordered"."place") from (select waybill."dead_letter"."id", (row_number() over (order by coalesce(waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."enqueued_at"), coalesce(waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."sequence_number"), waybill."dead_letter"."id") - $2) as "place" from waybill."dead_letter" where (waybill."dead_letter"."state" in ($3) and waybill."dead_letter"."changed_at" <= cast($4 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($5))) as "ordered" group by ("ordered"."place" / 500);

insert into waybill."dead_letter_redrive_page" ("redrive", "page", "dead_letters") select $1, ("ordered"."place" / 500), array_agg("ordered"."id" order by "ordered"."place") from (select waybill."dead_letter"."id", (row_number() over (order by coalesce(waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."enqueued_at"), coalesce(waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."sequence_number"), waybill."dead_letter"."id") - $2) as "place" from waybill."dead_letter" where (waybill."dead_letter"."state" in ($3) and waybill."dead_letter"."state" in ($4))) as "ordered" group by ("ordered"."place" / 500);

insert into waybill."hold" ("side", "scope", "session_id", "message_id", "state", "due_at", "reason", "description", "times_parked") values ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 millisecond', $7, $8, $9) on conflict ("side", "scope", "key") do update set "changed_at" = clock_timestamp() returning waybill."hold"."id";

insert into waybill."hold" ("side", "scope", "session_id", "message_id", "state", "due_at", "reason", "description", "times_parked") values ($1, $2, $3, $4, $5, clock_timestamp(), $6, $7, $8) on conflict ("side", "scope", "key") do update set "changed_at" = clock_timestamp(), "description" = excluded."description", "times_parked" = (waybill."hold"."times_parked" + case when waybill."hold"."state" = $9 then $10::integer else $11::integer end), "reason" = excluded."reason", "state" = $12 returning waybill."hold"."id";

insert into waybill."hold_audit" ("side", "scope", "key", "action", "operator", "reason", "before", "after") values ($1, $2, $3, $4, $5, $6, cast($7 as jsonb), cast($8 as jsonb));

insert into waybill."outbox_pause" ("destination", "reason") values ($1, $2) on conflict ("destination") do update set "reason" = $3;

insert into waybill.dead_letter_archive (id, document) values ($1, $2) on conflict (id) do update set document = excluded.document;

insert into waybill.dead_letter_entity as e
(entity, transfer, destination, alive_until, failing_since, failure_reason, failure_description)
values ($1, $2, $3, clock_timestamp(), clock_timestamp(), $4, $5)
on conflict (entity, transfer) do update set
failing_since = coalesce(e.failing_since, excluded.failing_since),
failure_reason = excluded.failure_reason, failure_description = excluded.failure_description;

insert into waybill.dead_letter_entity as e (entity, transfer, destination, alive_until)
values ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond')
on conflict (entity, transfer) do update set destination = excluded.destination,
alive_until = greatest(e.alive_until, excluded.alive_until);

insert into waybill.dead_letter_version (dead_letter, version, session_id, partition_key, subject, content_type,
correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, headers, body_kind, payload)
select id, version, session_id, partition_key, subject, content_type, correlation_id, to_address, reply_to,
reply_to_session_id, time_to_live, headers, body_kind, payload
from waybill.dead_letter_message where id = $1;

insert into waybill.erasure_order as e
select o.* from jsonb_populate_record(null::waybill.erasure_order, $1::jsonb) o
on conflict (digest) do update set live = case when e.kind = 'message' then e.live or excluded.live else case when excluded.applies_until >= e.applies_until then excluded.live else e.live end end,
applies_until = greatest(e.applies_until, excluded.applies_until);

insert into waybill.erasure_order as e (digest, kind, live, applies_until, operator, reason)
values (waybill.erasure_digest($1, $2), $3, $4,
case $5 when 'message' then 'infinity' else clock_timestamp() + interval '5 minutes' end, $6, $7)
on conflict (digest) do update set live = case when e.kind = 'message' then e.live or excluded.live else excluded.live end,
applies_until = greatest(e.applies_until, excluded.applies_until)
returning digest;

insert into waybill.held_message (
hold_id, origin_position, origin_time, session_id, message_id, broker_message_id, partition_key, subject,
content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live,
scheduled_enqueue_time, headers, payload)
select $1, seq, created_at, session_id, message_id, broker_message_id, partition_key, subject,
content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live,
scheduled_enqueue_time, headers::text, payload
from waybill.outbox_row
where destination = $2 and bucket = $3 and seq = any(cast($4 as bigint[]))
order by seq
on conflict do nothing;

insert into waybill.hold_audit (side, scope, key, action, operator, reason, before)
select $1, $2, $3, 'skip', $4, $5, to_jsonb(t)
from waybill.held_message t
where hold_id = $6 and place = any(cast($7 as bigint[]))
order by place;

insert into waybill.inbox_message (key, consumer, message_id) values ($1, $2, $3) on conflict do nothing;

insert into waybill.outbox_destination (destination) select d from unnest(cast($1 as varchar[])) as d order by d on conflict (destination) do nothing;

insert into waybill.outbox_lane (destination, bucket, epoch, available_at)
select $1, w.bucket, w.epoch + 1,
case when w.owner is null then '-infinity' else w.lease_until + $2 * interval '1 millisecond' end
from waybill.outbox_lease_withdrawn w
on conflict do nothing;

insert into waybill.outbox_message (
destination, session_id, message_id, subject, content_type, correlation_id, headers, payload)
select $1, $2, $3, $4, $5, $6, $7::jsonb, $8 where pg_advisory_xact_lock(1463900482, hashtext($9)) is not null;

insert into waybill.outbox_progress (destination, bucket, epoch, position, snapshot, next_xid)
select l.destination, s.bucket, s.epoch, s.position, s.snapshot, pg_current_xact_id()
from unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::pg_snapshot[]) as s(bucket, epoch, position, snapshot)
join waybill.outbox_lane l
on l.destination = $5 and l.bucket = s.bucket and l.epoch = s.epoch and l.owner = $6
cross join (select set_config('synchronous_commit', 'off', true) as flush) c
where c.flush = 'off' and current_setting('waybill.loop', true) = $7
and s.position <= coalesce(pg_sequence_last_value('waybill.outbox_message_seq'), 0)
and pg_snapshot_xmax(s.snapshot) <= pg_current_xact_id()
returning bucket, position, snapshot::text as snapshot, next_xid::text as next_xid;

insert into waybill.outbox_suspicion as s (destination, bucket, position, epoch, takeovers)
select $1, l.bucket, $2, l.epoch, 1 from waybill.outbox_lane l
where l.destination = $3 and l.bucket = $4 and l.epoch = $5 and l.owner = cast($6 as uuid)
on conflict (destination, bucket) do update set
takeovers = case
when s.position <> excluded.position then 1
when s.epoch = excluded.epoch then s.takeovers
else s.takeovers + 1 end,
accused = case
when s.position <> excluded.position then null
when s.epoch = excluded.epoch then s.accused
else coalesce(s.started, s.accused) end,
accusations = case
when s.position <> excluded.position then 0
when s.epoch = excluded.epoch or s.started is null then s.accusations
when s.started = s.accused then s.accusations + 1
else 1 end,
culprits = case when s.position = excluded.position then s.culprits else '{}' end,
started = null,
epoch = excluded.epoch,
position = excluded.position
returning takeovers, accused, accusations, culprits;

insert into waybill.relay_instance (id, name) values (cast($1 as uuid), $2) on conflict do nothing;

select 'PENDING', count(*) from waybill.outbox_row m where exists (select from waybill.erasure_order o where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.created_at <= o.applies_until) and not (exists (
select from waybill.outbox_cursor c
where c.destination = m.destination and c.bucket = waybill.outbox_bucket(m.session_id, m.message_id)
and waybill.outbox_is_published(m.xid, m.seq, c.position, c.snapshot, c.next_xid))
)
union all
select 'SCHEDULED', count(*) from waybill.outbox_scheduled m where exists (select from waybill.erasure_order o where o.digest = any(cast($2 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.created_at <= o.applies_until)
union all
select 'HELD_IN_' || upper(h.side), count(*)
from waybill.hold h join waybill.held_message m on m.hold_id = h.id where exists (select from waybill.erasure_order o where o.digest = any(cast($3 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.origin_time <= o.applies_until) group by h.side
union all
select 'CLAIMS_OF_UNKNOWN_SESSIONS', (select count(*) from waybill.outbox_claim m
where m.digest is null and m.state <> 'removing'
and exists (
select from waybill.erasure_order o
where o.digest = any(cast($4 as uuid[])) and o.kind = 'session' and m.created_at <= o.applies_until)
and not exists (select from waybill.dead_letter_message d where d.claim = m.claim)
and not exists (select from waybill.outbox_message r where r.message_id = m.message_id)
and not exists (select from waybill.outbox_straggler r where r.message_id = m.message_id)
and not exists (select from waybill.outbox_scheduled r where r.message_id = m.message_id)
and not exists (select from waybill.held_message r where r.message_id = m.message_id)
)
union all
select 'ARCHIVED_ELSEWHERE', count(*) from waybill.dead_letter m where m.state = 'archived' and exists (select from waybill.erasure_order o where o.digest = any(cast($5 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and coalesce(m.first_enqueued_at, m.enqueued_at) <= o.applies_until);

select (select key from waybill.hold where side = 'inbox' and scope = $1 and key in ($2, $3) order by length(key) desc limit 1),
exists (select from waybill.inbox_deferral where key = $4),
exists (select from waybill.inbox_deferral where consumer = $5 and session_id = $6 and resume_at <= clock_timestamp()
and hold_id is null and key is distinct from $7::uuid),
pg_backend_pid(), now()::text, current_setting('transaction_isolation'), (select token from waybill.inbox_acceptance where key = $8::uuid), pg_current_snapshot()::text;

select 2 as part, m.bucket::int as lane, case when m.session_id is not null then exists (
select from waybill.hold h where h.side = 'outbox' and h.scope = m.destination
and h.key = length(m.session_id)::text || ':' || m.session_id) else false end as held,
coalesce(m.whole, false), s.snapshot, s.unflushed, s.drawn, s.changes, s.same, s.holds_due, m.seq, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject, m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live, m.scheduled_enqueue_time, m.headers, case when m.whole then m.payload end
from (
select
case when exists (select from waybill.outbox_pause p where p.destination = $1)
then '' else pg_current_snapshot()::text end as snapshot,
case when pg_current_wal_flush_lsn() < pg_current_wal_insert_lsn()
then pg_current_wal_insert_lsn()::text end as unflushed,
coalesce(pg_sequence_last_value('waybill.outbox_message_seq'), 0) as drawn,
coalesce(pg_sequence_last_value('waybill.outbox_lane_seq'), 0) as changes,
current_setting('waybill.loop', true) = $2 as same,
exists (
select from waybill.hold h
where h.side = 'outbox' and h.scope = $3 and ($4::smallint[])[h.bucket + 1] > 0 and h.state = 'retrying' and h.due_at <= clock_timestamp()
and (h.attempt_until is null or h.attempt_until <= clock_timestamp())) as holds_due
) s
left join lateral (
select r.*, (octet_length(r.payload) + case when pg_column_compression(r.headers) is null then coalesce(pg_column_size(r.headers), 0) else 65536 end) <= $5 as whole
from (select *, waybill.outbox_bucket(session_id, message_id) as bucket from waybill.outbox_message_0) r
where r.xid >= $6::xid8 and r.xid < '9223372036854775807'::xid8 and r.destination || '' = $7 and ($8::smallint[])[r.bucket + 1] > 0
and not pg_visible_in_snapshot(r.xid, ($9::pg_snapshot[])[($10::smallint[])[r.bucket + 1]])
limit $11
) m on s.snapshot <> '';

select a.place::integer from unnest(cast($1 as varchar[]), cast($2 as uuid[])) with ordinality as a(message_id, key, place) join waybill.dead_letter_message m using (message_id, key);

select alarm, severity, destination, detail from waybill.relay_alarm order by severity, alarm;

select array(select nextval('waybill.dead_letter_message_id_seq') from generate_series(1, $1)), waybill.erasure_gate(), set_config('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'local' else current_setting('synchronous_commit') end, true);

select bucket, position, snapshot::text as snapshot, next_xid::text as next_xid
from waybill.outbox_cursor
where destination = $1 and bucket = any(cast($2 as smallint[]));

select coalesce((
select m.created_at < clock_timestamp() - $1 * interval '1 millisecond'
from waybill.outbox_message_0 m where m.seq >= $2 order by m.xid limit 1), false);

select coalesce(max(credits), 0)::double precision from (
select date_trunc('second', m.created_at) as second, sum(c.cost) as credits
from waybill.outbox_message m join unnest(cast($1 as varchar[]), cast($2 as int[])) as c(name, cost) on c.name = m.destination
where m.seq > (select last_value from waybill.outbox_message_seq) - 50000
group by 1) s;

select coalesce(pg_sequence_last_value('waybill.outbox_lane_seq'), 0);

select coalesce(sum(cardinality(waybill."dead_letter_redrive_page"."dead_letters")), 0) from waybill."dead_letter_redrive_page" where waybill."dead_letter_redrive_page"."redrive" = $1;

select consumer, count(*) as count, min(deferred_at)::timestamptz(0)::text as oldest,
(array_agg(defer_key order by deferred_at))[1] as key
from waybill.inbox_deferral
where resume_at is null and deferred_at < clock_timestamp() - interval '1 day'
group by consumer order by consumer;

select count(*) from waybill."dead_letter";

select count(*) from waybill."dead_letter" where (position($1 in waybill."dead_letter"."payload") > $2 and waybill."dead_letter"."state" in ($3) and waybill."dead_letter"."changed_at" <= cast($4 as timestamp(6) with time zone));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."entity" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($4));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."state" in ($3) and waybill."dead_letter"."keep_until" < clock_timestamp() and waybill."dead_letter"."changed_at" <= cast($4 as timestamp(6) with time zone) and waybill."dead_letter"."state" = 'archived' and not exists (select 1 as "one" from waybill."dead_letter_archive" where waybill."dead_letter_archive"."id" = waybill."dead_letter"."id"));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."state" in ($3) and waybill."dead_letter"."keep_until" < clock_timestamp() and waybill."dead_letter"."changed_at" <= cast($4 as timestamp(6) with time zone));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2, $3, $4, $5, $6) and waybill."dead_letter"."changed_at" <= cast($7 as timestamp(6) with time zone) and waybill."dead_letter"."state" = 'archived' and not exists (select 1 as "one" from waybill."dead_letter_archive" where waybill."dead_letter_archive"."id" = waybill."dead_letter"."id"));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."session_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" = 'archived' and not exists (select 1 as "one" from waybill."dead_letter_archive" where waybill."dead_letter_archive"."id" = waybill."dead_letter"."id"));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."session_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."session_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."state" in ($3) and waybill."dead_letter"."keep_until" < clock_timestamp() and waybill."dead_letter"."changed_at" <= cast($4 as timestamp(6) with time zone) and waybill."dead_letter"."state" = 'archived' and not exists (select 1 as "one" from waybill."dead_letter_archive" where waybill."dead_letter_archive"."id" = waybill."dead_letter"."id"));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."session_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."state" in ($3) and waybill."dead_letter"."keep_until" < clock_timestamp() and waybill."dead_letter"."changed_at" <= cast($4 as timestamp(6) with time zone));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."changed_at" <= cast($2 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($3));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."changed_at" <= cast($2 as timestamp(6) with time zone));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."changed_at" <= clock_timestamp() - $2 * interval '1 millisecond' and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" = 'archived' and not exists (select 1 as "one" from waybill."dead_letter_archive" where waybill."dead_letter_archive"."id" = waybill."dead_letter"."id"));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."changed_at" <= clock_timestamp() - $2 * interval '1 millisecond' and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."keep_until" < clock_timestamp() and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" = 'archived' and not exists (select 1 as "one" from waybill."dead_letter_archive" where waybill."dead_letter_archive"."id" = waybill."dead_letter"."id"));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."keep_until" < clock_timestamp() and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone));

select count(*) from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1, $2, $3, $4, $5) and waybill."dead_letter"."changed_at" <= cast($6 as timestamp(6) with time zone) and waybill."dead_letter"."state" = 'archived' and not exists (select 1 as "one" from waybill."dead_letter_archive" where waybill."dead_letter_archive"."id" = waybill."dead_letter"."id"));

select count(*) from waybill."dead_letter" where waybill."dead_letter"."state" in ($1);

select count(*) from waybill."held_message" where waybill."held_message"."hold_id" = $1;

select count(*) from waybill.inbox_instance where consumer = $1 and alive_until < clock_timestamp() and alive_until >= clock_timestamp() - interval '10 minutes';

select count(*) from waybill.inbox_message m
where m.consumer = $1 and m.handled_at < clock_timestamp() - $2 * interval '1 millisecond'
and not exists (
select from waybill.hold h join waybill.held_message i on i.hold_id = h.id
where h.side = 'inbox' and h.scope = m.consumer and i.message_id = m.message_id)
and not exists (select from waybill.inbox_deferral d where d.key = m.key)
and not exists (
select from waybill.dead_letter l
where l.message_id = m.message_id and (l.state in ('open', 'quarantined')
or l.state = 'redriven' and l.changed_at > clock_timestamp() - $3 * interval '1 millisecond'));

select count(*) from waybill.outbox_scheduled;

select count(*), coalesce(sum((select count(*) from waybill."held_message" where waybill."held_message"."hold_id" = waybill."hold"."id")) filter (where not (coalesce((waybill."hold"."attempt_until" > clock_timestamp()), false) = true)), 0), count(*) filter (where coalesce((waybill."hold"."attempt_until" > clock_timestamp()), false) = true) from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."state" in ($2) and waybill."hold"."reason" = $3);

select count(*), coalesce(sum((select count(*) from waybill."held_message" where waybill."held_message"."hold_id" = waybill."hold"."id")) filter (where not (coalesce((waybill."hold"."attempt_until" > clock_timestamp()), false) = true)), 0), count(*) filter (where coalesce((waybill."hold"."attempt_until" > clock_timestamp()), false) = true) from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."state" in ($2) and waybill."hold"."scope" = $3 and waybill."hold"."session_id" = $4);

select count(*), coalesce(sum((select count(*) from waybill."held_message" where waybill."held_message"."hold_id" = waybill."hold"."id")) filter (where not (coalesce((waybill."hold"."attempt_until" > clock_timestamp()), false) = true)), 0), count(*) filter (where coalesce((waybill."hold"."attempt_until" > clock_timestamp()), false) = true) from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."state" in ($2) and waybill."hold"."scope" = $3);

select count(*), coalesce(sum((select count(*) from waybill."held_message" where waybill."held_message"."hold_id" = waybill."hold"."id")) filter (where not (coalesce((waybill."hold"."attempt_until" > clock_timestamp()), false) = true)), 0), count(*) filter (where coalesce((waybill."hold"."attempt_until" > clock_timestamp()), false) = true) from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."state" in ($2));

select count(distinct waybill."dead_letter"."session_id") from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($4));

select count(distinct waybill."dead_letter"."session_id") from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."changed_at" <= cast($2 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($3));

select current_user as role, t.grant_name, t.object from (values
('select', 'outbox_message'), ('insert', 'outbox_message'), ('insert', 'outbox_progress'),
('insert', 'outbox_lane'), ('update', 'outbox_lane'), ('insert', 'relay_beat'),
('insert', 'relay_instance'), ('update', 'relay_instance'), ('delete', 'relay_instance'),
('insert', 'outbox_halt'), ('insert', 'outbox_straggler'), ('delete', 'outbox_message_0'), ('insert', 'hold'), ('update', 'hold'), ('delete', 'hold'),
('insert', 'held_message'), ('delete', 'held_message'), ('insert', 'outbox_refusal'),
('insert', 'outbox_suspicion'), ('insert', 'outbox_destination'), ('delete', 'outbox_scheduled'), ('truncate', 'outbox_message_0'),
('truncate', 'outbox_progress_0'), ('select', 'relay_alarm')
) t(grant_name, object)
where not has_table_privilege('waybill.' || t.object, t.grant_name)
order by 3, 2;

select d.destination, b.*,
ceil(extract(epoch from least(ahead.due_at, late.due_at) - statement_timestamp()) * 1000)::bigint as millis
from unnest(cast($1 as varchar[])::text[], cast($2 as varchar[])::text[], cast($3 as bigint[])::bigint[], cast($4 as varchar[])::text[]) as d(destination, due, id, snapshot)
cross join (select statement_timestamp()::text as now, pg_current_snapshot()::text as snapshot,
not pg_is_in_recovery() as is_primary,
concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
extract(epoch from pg_stat_get_bgwriter_stat_reset_time())) as server
) b
left join lateral (
select w.due_at from waybill.outbox_scheduled w
where w.destination = d.destination and (w.due_at, w.id) > (d.due::timestamptz, d.id)
and w.due_at <= statement_timestamp() + interval '1 second'
order by w.due_at, w.id limit 1) ahead on true
left join lateral (
select min(x.due_at) as due_at from (
(select w.due_at, w.id from waybill.outbox_scheduled w
where w.xid >= pg_snapshot_xmax(d.snapshot::pg_snapshot)
and w.destination is not distinct from d.destination offset 0)
union all
(select w.due_at, w.id from waybill.outbox_scheduled w
where w.xid = any(array(select pg_snapshot_xip(d.snapshot::pg_snapshot)))
and w.destination is not distinct from d.destination offset 0)) x
where (x.due_at, x.id) <= (d.due::timestamptz, d.id)) late on true;

select date_trunc('milliseconds', clock_timestamp()), waybill.erasure_gate();

select destination from waybill.outbox_backlog
union select destination from waybill.outbox_scheduled
union select scope from waybill.hold where side = 'outbox'
union select destination from waybill.outbox_pause
union select unnest(serving) from waybill.relay_liveness where alive;

select destination from waybill.outbox_destination;

select digest, kind, live, operator, reason, ordered_at from waybill.erasure_order order by ordered_at, digest;

select distinct h.id, h.side from waybill.hold h join waybill.held_message m on m.hold_id = h.id where exists (select from waybill.erasure_order o where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and m.origin_time <= o.applies_until and o.live) order by h.id;

select distinct on (waybill."held_message"."hold_id") waybill."held_message"."hold_id", octet_length(waybill."held_message"."payload") + case when pg_column_compression(waybill."held_message"."headers") is null then coalesce(pg_column_size(waybill."held_message"."headers"), 0) else 65536 end as "weight" from waybill."held_message" where waybill."held_message"."hold_id" in ($1) order by waybill."held_message"."hold_id", waybill."held_message"."place";

select document from waybill.dead_letter_archive where id = $1;

select exists (select 1 as "one" from waybill."held_message" where waybill."held_message"."hold_id" = $1);

select exists (select 1 as "one" from waybill."hold" where (waybill."hold"."id" = $1 and waybill."hold"."attempt_until" > clock_timestamp()));

select i.id from waybill.relay_instance i
where i.id in (select l.owner from waybill.outbox_lane l where l.destination = $1 and l.owner <> cast($2 as uuid))
and not exists (
select from waybill.relay_liveness v where v.id = i.id and v.alive and $3 = any(v.serving))
order by i.id
for update;

select l.lane::int - 1 as lane, pg_current_snapshot()::text as snapshot, coalesce(
(select min(m.seq) - 1 from waybill.outbox_row m where m.destination = l.destination and m.bucket = l.bucket),
pg_sequence_last_value('waybill.outbox_message_seq'), 0) as position
from unnest(cast($1 as varchar[]), cast($2 as smallint[])) with ordinality as l(destination, bucket, lane);

select m.claim from waybill.outbox_claim m
where m.state <> 'removing' and exists (
select from waybill.erasure_order o
where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), m.digest)
and m.created_at <= o.applies_until);

select m.id from waybill.dead_letter m where exists (select from waybill.erasure_order o where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', m.message_id), waybill.erasure_digest('session', m.session_id)) and coalesce(m.first_enqueued_at, m.enqueued_at) <= o.applies_until) and m.id > $2 and m.state_id > $3 order by m.id limit $4 for update;

select m.id, a.place::integer from unnest(cast($1 as varchar[]), cast($2 as uuid[])) with ordinality as a(message_id, key, place)
join waybill.dead_letter_message m using (message_id, key)
where m.emptied = 'without-body';

select m.id, m.entity, m.reason, m.enqueued_at, m.deliveries, m.redrives, m.sequence_number, m.session_id, m.message_id, m.headers, m.claim is not null, octet_length(m.payload), m.body_kind, coalesce(m.first_enqueued_at, m.enqueued_at), coalesce(m.first_sequence_number, m.sequence_number), m.emptied is not null
from unnest($1::bigint[]) with ordinality as i(id, place) join waybill.dead_letter_message m using (id)
order by i.place;

select max(waybill."hold"."id") from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."state" in ($2) and waybill."hold"."reason" = $3);

select max(waybill."hold"."id") from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."state" in ($2) and waybill."hold"."scope" = $3 and waybill."hold"."session_id" = $4);

select max(waybill."hold"."id") from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."state" in ($2) and waybill."hold"."scope" = $3);

select message_id, defer_key, session_id, sequence_number, deferred_at, resume_at, tries from waybill.inbox_deferral where consumer = $1 and deferred_at < clock_timestamp() - $2 * interval '1 millisecond' order by deferred_at limit 1000;

select nextval($1::regclass) * 1048576 + floor(random() * 1048576)::bigint, (select token from waybill.inbox_acceptance where key = $2);

select nextval('waybill.outbox_lane_seq');

select pg_current_snapshot()::text, coalesce(pg_sequence_last_value('waybill.outbox_message_seq'), 0) as drawn,
coalesce(pg_sequence_last_value('waybill.outbox_lane_seq'), 0) as changes, current_setting('waybill.loop', true) = $1;

select seq, (extract(epoch from clock_timestamp() - created_at) * 1000000)::bigint as age_micros
from waybill.outbox_message
where destination = $1 and waybill.outbox_bucket(session_id, message_id) between 0 and 31 and seq = any(cast($2 as bigint[]));

select session_id, case when session_id is null then key end as alone, min(resume_at) as since from waybill.inbox_deferral where consumer = $1 and hold_id is null and resume_at <= clock_timestamp() group by 1, 2 order by since limit 1000;

select set_config('synchronous_commit', 'local', true), pg_logical_emit_message(true, 'waybill', 'flush')::text;

select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'local' else current_setting('synchronous_commit') end, true), pg_logical_emit_message(true, 'waybill', 'flush')::text;

select set_config('waybill.loop', $1, false), set_config('plan_cache_mode', 'force_generic_plan', false), set_config('default_transaction_isolation', 'read committed', false);

select set_config('waybill.loop', '', false), set_config('plan_cache_mode', $1, false), set_config('default_transaction_isolation', $2, false);

select slot, coalesce(pg_sequence_last_value('waybill.outbox_message_seq'), 0) as last from (select 0 as slot where exists (select from waybill.outbox_message_0) union all select 1 as slot where exists (select from waybill.outbox_message_1) union all select 2 as slot where exists (select from waybill.outbox_message_2) union all select 3 as slot where exists (select from waybill.outbox_message_3) union all select 4 as slot where exists (select from waybill.outbox_message_4) union all select 5 as slot where exists (select from waybill.outbox_message_5) union all select 6 as slot where exists (select from waybill.outbox_message_6) union all select 7 as slot where exists (select from waybill.outbox_message_7)) used;

select slot, coalesce(pg_sequence_last_value('waybill.outbox_progress_seq'), 0) as last from (select 0 as slot where exists (select from waybill.outbox_progress_0) union all select 1 as slot where exists (select from waybill.outbox_progress_1) union all select 2 as slot where exists (select from waybill.outbox_progress_2) union all select 3 as slot where exists (select from waybill.outbox_progress_3)) used;

select slot, coalesce(pg_sequence_last_value('waybill.relay_beat_seq'), 0) as last from (select 0 as slot where exists (select from waybill.relay_beat_0) union all select 1 as slot where exists (select from waybill.relay_beat_1) union all select 2 as slot where exists (select from waybill.relay_beat_2) union all select 3 as slot where exists (select from waybill.relay_beat_3)) used;

select to_jsonb(o)::text from waybill.erasure_order o order by ordered_at, digest;

select to_jsonb(t) from waybill.held_message t where hold_id = $1 and place = $2;

select to_jsonb(t) from waybill.hold t where id = $1;

select to_regclass('waybill.outbox_message') is not null;

select v.name, v.started_at, v.alive_until, v.alive,
(select count(*)::integer from waybill.outbox_lane l
where l.owner = v.id and v.alive and l.destination = any(v.serving)) as lanes
from waybill.relay_liveness v
where v.alive_until > clock_timestamp() - interval '1 hour'
order by v.alive desc, v.name, v.started_at;

select waybill."dead_letter"."entity", count(*), count(*) filter (where (select case
when r.emptied is not null then 'cannot be sent as it came: it was redacted, or imported without its body'
when r.body_kind not in ('data', 'text') then 'has a body that is not made of bytes'
when message_id = '' or (length(message_id) > 128 or length(message_id) > 64 and octet_length(message_id) > length(message_id)
and length(message_id) + length(regexp_replace(message_id, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has an id of more than 128 characters, or of none'
when session_id = '' or (length(session_id) > 128 or length(session_id) > 64 and octet_length(session_id) > length(session_id)
and length(session_id) + length(regexp_replace(session_id, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has a session of more than 128 characters, or of none'
when (length(partition_key) > 128 or length(partition_key) > 64 and octet_length(partition_key) > length(partition_key)
and length(partition_key) + length(regexp_replace(partition_key, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has a partition key of more than 128 characters'
when partition_key <> session_id then 'has a partition key other than its session'
when position('\u0000' in headers) > 0 then 'has a NUL character in its properties'
end from (select waybill."dead_letter"."emptied" as emptied, waybill."dead_letter"."body_kind" as body_kind, waybill."dead_letter"."message_id" as message_id, waybill."dead_letter"."session_id" as session_id,
waybill."dead_letter"."partition_key" as partition_key, waybill."dead_letter"."headers" as headers) r) is not null) from waybill."dead_letter" where ((waybill."dead_letter"."id" = any(cast($1 as bigint[]))) and waybill."dead_letter"."state" in ($2)) group by waybill."dead_letter"."entity" order by waybill."dead_letter"."entity";

select waybill."dead_letter"."entity", count(*), count(*) filter (where (select case
when r.emptied is not null then 'cannot be sent as it came: it was redacted, or imported without its body'
when r.body_kind not in ('data', 'text') then 'has a body that is not made of bytes'
when message_id = '' or (length(message_id) > 128 or length(message_id) > 64 and octet_length(message_id) > length(message_id)
and length(message_id) + length(regexp_replace(message_id, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has an id of more than 128 characters, or of none'
when session_id = '' or (length(session_id) > 128 or length(session_id) > 64 and octet_length(session_id) > length(session_id)
and length(session_id) + length(regexp_replace(session_id, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has a session of more than 128 characters, or of none'
when (length(partition_key) > 128 or length(partition_key) > 64 and octet_length(partition_key) > length(partition_key)
and length(partition_key) + length(regexp_replace(partition_key, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has a partition key of more than 128 characters'
when partition_key <> session_id then 'has a partition key other than its session'
when position('\u0000' in headers) > 0 then 'has a NUL character in its properties'
end from (select waybill."dead_letter"."emptied" as emptied, waybill."dead_letter"."body_kind" as body_kind, waybill."dead_letter"."message_id" as message_id, waybill."dead_letter"."session_id" as session_id,
waybill."dead_letter"."partition_key" as partition_key, waybill."dead_letter"."headers" as headers) r) is not null) from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($4)) group by waybill."dead_letter"."entity" order by waybill."dead_letter"."entity";

select waybill."dead_letter"."entity", count(*), count(*) filter (where (select case
when r.emptied is not null then 'cannot be sent as it came: it was redacted, or imported without its body'
when r.body_kind not in ('data', 'text') then 'has a body that is not made of bytes'
when message_id = '' or (length(message_id) > 128 or length(message_id) > 64 and octet_length(message_id) > length(message_id)
and length(message_id) + length(regexp_replace(message_id, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has an id of more than 128 characters, or of none'
when session_id = '' or (length(session_id) > 128 or length(session_id) > 64 and octet_length(session_id) > length(session_id)
and length(session_id) + length(regexp_replace(session_id, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has a session of more than 128 characters, or of none'
when (length(partition_key) > 128 or length(partition_key) > 64 and octet_length(partition_key) > length(partition_key)
and length(partition_key) + length(regexp_replace(partition_key, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has a partition key of more than 128 characters'
when partition_key <> session_id then 'has a partition key other than its session'
when position('\u0000' in headers) > 0 then 'has a NUL character in its properties'
end from (select waybill."dead_letter"."emptied" as emptied, waybill."dead_letter"."body_kind" as body_kind, waybill."dead_letter"."message_id" as message_id, waybill."dead_letter"."session_id" as session_id,
waybill."dead_letter"."partition_key" as partition_key, waybill."dead_letter"."headers" as headers) r) is not null) from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."changed_at" <= cast($2 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($3)) group by waybill."dead_letter"."entity" order by waybill."dead_letter"."entity";

select waybill."dead_letter"."entity", count(*), count(*) filter (where (select case
when r.emptied is not null then 'cannot be sent as it came: it was redacted, or imported without its body'
when r.body_kind not in ('data', 'text') then 'has a body that is not made of bytes'
when message_id = '' or (length(message_id) > 128 or length(message_id) > 64 and octet_length(message_id) > length(message_id)
and length(message_id) + length(regexp_replace(message_id, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has an id of more than 128 characters, or of none'
when session_id = '' or (length(session_id) > 128 or length(session_id) > 64 and octet_length(session_id) > length(session_id)
and length(session_id) + length(regexp_replace(session_id, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has a session of more than 128 characters, or of none'
when (length(partition_key) > 128 or length(partition_key) > 64 and octet_length(partition_key) > length(partition_key)
and length(partition_key) + length(regexp_replace(partition_key, '[^\U00010000-\U0010FFFF]', '', 'g')) > 128) then 'has a partition key of more than 128 characters'
when partition_key <> session_id then 'has a partition key other than its session'
when position('\u0000' in headers) > 0 then 'has a NUL character in its properties'
end from (select waybill."dead_letter"."emptied" as emptied, waybill."dead_letter"."body_kind" as body_kind, waybill."dead_letter"."message_id" as message_id, waybill."dead_letter"."session_id" as session_id,
waybill."dead_letter"."partition_key" as partition_key, waybill."dead_letter"."headers" as headers) r) is not null) from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."state" in ($2)) group by waybill."dead_letter"."entity" order by waybill."dead_letter"."entity";

select waybill."dead_letter"."entity", count(*), greatest(0, (extract(epoch from clock_timestamp() - min(waybill."dead_letter"."enqueued_at")) * 1000))::bigint, greatest(0, (extract(epoch from clock_timestamp() - min(waybill."dead_letter"."collected_at")) * 1000))::bigint from waybill."dead_letter" where waybill."dead_letter"."state" in ($1) group by waybill."dead_letter"."entity" order by count(*) desc, greatest(0, (extract(epoch from clock_timestamp() - min(waybill."dead_letter"."enqueued_at")) * 1000))::bigint desc;

select waybill."dead_letter"."entity", waybill."dead_letter"."reason", count(*), greatest(0, (extract(epoch from clock_timestamp() - min(waybill."dead_letter"."enqueued_at")) * 1000))::bigint, greatest(0, (extract(epoch from clock_timestamp() - min(waybill."dead_letter"."collected_at")) * 1000))::bigint from waybill."dead_letter" where waybill."dead_letter"."state" in ($1) group by waybill."dead_letter"."entity", waybill."dead_letter"."reason" order by count(*) desc, greatest(0, (extract(epoch from clock_timestamp() - min(waybill."dead_letter"."enqueued_at")) * 1000))::bigint desc;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."id" = $1 and waybill."dead_letter"."id" > $2 and waybill."dead_letter"."state_id" > $3) order by waybill."dead_letter"."id" fetch next $4 rows only;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."id" = $1 and waybill."dead_letter"."state" in ($2, $3)) for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."id" = any(cast($1 as bigint[])));

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" <> $4 and waybill."dead_letter"."id" > $5 and waybill."dead_letter"."state_id" > $6) order by waybill."dead_letter"."id" fetch next $7 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($4) and waybill."dead_letter"."id" > $5 and waybill."dead_letter"."state_id" > $6) order by waybill."dead_letter"."id" fetch next $7 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."id" > $3 and waybill."dead_letter"."state_id" > $4) order by waybill."dead_letter"."id" fetch next $5 rows only;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."state" in ($3) and waybill."dead_letter"."keep_until" < clock_timestamp() and waybill."dead_letter"."changed_at" <= cast($4 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($5) and waybill."dead_letter"."id" > $6 and waybill."dead_letter"."state_id" > $7) order by waybill."dead_letter"."id" fetch next $8 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2, $3, $4, $5, $6) and waybill."dead_letter"."changed_at" <= cast($7 as timestamp(6) with time zone) and waybill."dead_letter"."id" > $8 and waybill."dead_letter"."state_id" > $9) order by waybill."dead_letter"."id" fetch next $10 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."session_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."id" > $4 and waybill."dead_letter"."state_id" > $5) order by waybill."dead_letter"."id" fetch next $6 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."session_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."state" in ($3) and waybill."dead_letter"."keep_until" < clock_timestamp() and waybill."dead_letter"."changed_at" <= cast($4 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($5) and waybill."dead_letter"."id" > $6 and waybill."dead_letter"."state_id" > $7) order by waybill."dead_letter"."id" fetch next $8 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."changed_at" <= cast($2 as timestamp(6) with time zone) and waybill."dead_letter"."state" <> $3 and waybill."dead_letter"."id" > $4 and waybill."dead_letter"."state_id" > $5) order by waybill."dead_letter"."id" fetch next $6 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."changed_at" <= cast($2 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($3) and waybill."dead_letter"."id" > $4 and waybill."dead_letter"."state_id" > $5) order by waybill."dead_letter"."id" fetch next $6 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."changed_at" <= clock_timestamp() - $2 * interval '1 millisecond' and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($4) and waybill."dead_letter"."id" > $5 and waybill."dead_letter"."state_id" > $6) order by waybill."dead_letter"."id" fetch next $7 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."entity" = $2 and position($3 in waybill."dead_letter"."payload") > $4 and waybill."dead_letter"."state" in ($5) and waybill."dead_letter"."id" > $6 and waybill."dead_letter"."state_id" > $7) order by waybill."dead_letter"."id" fetch next $8 rows only;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."id" > $2 and waybill."dead_letter"."state_id" > $3) order by waybill."dead_letter"."id" fetch next $4 rows only;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."keep_until" < clock_timestamp() and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($4) and waybill."dead_letter"."id" > $5 and waybill."dead_letter"."state_id" > $6) order by waybill."dead_letter"."id" fetch next $7 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1, $2) and waybill."dead_letter"."changed_at" <= clock_timestamp() - $3 * interval '1 millisecond' and waybill."dead_letter"."state" <> $4 and waybill."dead_letter"."id" > $5 and waybill."dead_letter"."state_id" > $6) order by waybill."dead_letter"."id" fetch next $7 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1, $2, $3, $4, $5) and waybill."dead_letter"."changed_at" <= cast($6 as timestamp(6) with time zone) and waybill."dead_letter"."id" > $7 and waybill."dead_letter"."state_id" > $8) order by waybill."dead_letter"."id" fetch next $9 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."key", waybill."dead_letter"."entity", waybill."dead_letter"."transfer", waybill."dead_letter"."sequence_number", waybill."dead_letter"."enqueued_at", waybill."dead_letter"."deliveries", waybill."dead_letter"."expires_at", waybill."dead_letter"."source", waybill."dead_letter"."reason", waybill."dead_letter"."description", waybill."dead_letter"."exception_type", waybill."dead_letter"."session_id", waybill."dead_letter"."message_id", waybill."dead_letter"."broker_message_id", waybill."dead_letter"."partition_key", waybill."dead_letter"."subject", waybill."dead_letter"."content_type", waybill."dead_letter"."correlation_id", waybill."dead_letter"."to_address", waybill."dead_letter"."reply_to", waybill."dead_letter"."reply_to_session_id", waybill."dead_letter"."time_to_live", waybill."dead_letter"."scheduled_enqueue_time", waybill."dead_letter"."headers", waybill."dead_letter"."body_kind", waybill."dead_letter"."payload", waybill."dead_letter"."claim", waybill."dead_letter"."redrives", waybill."dead_letter"."version", waybill."dead_letter"."collected_at", waybill."dead_letter"."state_id", waybill."dead_letter"."state", waybill."dead_letter"."changed_at", waybill."dead_letter"."keep_until", waybill."dead_letter"."first_enqueued_at", waybill."dead_letter"."first_sequence_number", waybill."dead_letter"."emptied" from waybill."dead_letter" where waybill."dead_letter"."id" = $1;

select waybill."dead_letter"."id", waybill."dead_letter"."state" from waybill."dead_letter" where (waybill."dead_letter"."message_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($4) and waybill."dead_letter"."id" > $5 and waybill."dead_letter"."state_id" > $6) order by waybill."dead_letter"."id" fetch next $7 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."state" from waybill."dead_letter" where (waybill."dead_letter"."session_id" = $1 and waybill."dead_letter"."state" in ($2) and waybill."dead_letter"."changed_at" <= cast($3 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($4) and waybill."dead_letter"."id" > $5 and waybill."dead_letter"."state_id" > $6) order by waybill."dead_letter"."id" fetch next $7 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."state" from waybill."dead_letter" where (waybill."dead_letter"."state" in ($1) and waybill."dead_letter"."changed_at" <= cast($2 as timestamp(6) with time zone) and waybill."dead_letter"."state" in ($3) and waybill."dead_letter"."id" > $4 and waybill."dead_letter"."state_id" > $5) order by waybill."dead_letter"."id" fetch next $6 rows only for update;

select waybill."dead_letter"."id", waybill."dead_letter"."state", waybill."dead_letter"."claim" from waybill."dead_letter" where (waybill."dead_letter"."id" = any(cast($1 as bigint[])));

select waybill."dead_letter_archive"."id" from waybill."dead_letter_archive" where (waybill."dead_letter_archive"."id" = any(cast($1 as bigint[])));

select waybill."dead_letter_audit"."id", waybill."dead_letter_audit"."dead_letters", waybill."dead_letter_audit"."redrive", waybill."dead_letter_audit"."action", waybill."dead_letter_audit"."operator", waybill."dead_letter_audit"."reason", waybill."dead_letter_audit"."database_user", waybill."dead_letter_audit"."at", waybill."dead_letter_audit"."before", waybill."dead_letter_audit"."after" from waybill."dead_letter_audit" where waybill."dead_letter_audit"."dead_letters" @> cast($1 as bigint[]) order by waybill."dead_letter_audit"."id";

select waybill."dead_letter_entity"."entity", waybill."dead_letter_entity"."transfer", waybill."dead_letter_entity"."destination", waybill."dead_letter_entity"."alive_until", waybill."dead_letter_entity"."collected", waybill."dead_letter_entity"."collected_at", waybill."dead_letter_entity"."drained_at", waybill."dead_letter_entity"."failing_since", waybill."dead_letter_entity"."failure_reason", waybill."dead_letter_entity"."failure_description", (waybill."dead_letter_entity"."alive_until" > clock_timestamp()), case when waybill."dead_letter_entity"."drained_at" > clock_timestamp() - interval '15 seconds' then 0 else greatest(0, (extract(epoch from clock_timestamp() - waybill."dead_letter_entity"."drained_at") * 1000))::bigint end from waybill."dead_letter_entity" order by waybill."dead_letter_entity"."entity", waybill."dead_letter_entity"."transfer";

select waybill."dead_letter_redrive"."id", waybill."dead_letter_redrive"."way", waybill."dead_letter_redrive"."target", waybill."dead_letter_redrive"."items", waybill."dead_letter_redrive"."position", waybill."dead_letter_redrive"."redriven", waybill."dead_letter_redrive"."canary", waybill."dead_letter_redrive"."rate", waybill."dead_letter_redrive"."paced_at", waybill."dead_letter_redrive"."state", waybill."dead_letter_redrive"."operator", waybill."dead_letter_redrive"."reason", waybill."dead_letter_redrive"."started_at", waybill."dead_letter_redrive"."changed_at" from waybill."dead_letter_redrive" where waybill."dead_letter_redrive"."id" = $1 for update;

select waybill."dead_letter_redrive"."id", waybill."dead_letter_redrive"."way", waybill."dead_letter_redrive"."target", waybill."dead_letter_redrive"."items", waybill."dead_letter_redrive"."position", waybill."dead_letter_redrive"."redriven", waybill."dead_letter_redrive"."canary", waybill."dead_letter_redrive"."rate", waybill."dead_letter_redrive"."paced_at", waybill."dead_letter_redrive"."state", waybill."dead_letter_redrive"."operator", waybill."dead_letter_redrive"."reason", waybill."dead_letter_redrive"."started_at", waybill."dead_letter_redrive"."changed_at" from waybill."dead_letter_redrive" where waybill."dead_letter_redrive"."id" = $1 order by waybill."dead_letter_redrive"."id";

select waybill."dead_letter_redrive"."id", waybill."dead_letter_redrive"."way", waybill."dead_letter_redrive"."target", waybill."dead_letter_redrive"."items", waybill."dead_letter_redrive"."position", waybill."dead_letter_redrive"."redriven", waybill."dead_letter_redrive"."canary", waybill."dead_letter_redrive"."rate", waybill."dead_letter_redrive"."paced_at", waybill."dead_letter_redrive"."state", waybill."dead_letter_redrive"."operator", waybill."dead_letter_redrive"."reason", waybill."dead_letter_redrive"."started_at", waybill."dead_letter_redrive"."changed_at" from waybill."dead_letter_redrive" where waybill."dead_letter_redrive"."state" in ($1, $2) order by waybill."dead_letter_redrive"."id";

select waybill."dead_letter_version"."dead_letter", waybill."dead_letter_version"."version", waybill."dead_letter_version"."session_id", waybill."dead_letter_version"."partition_key", waybill."dead_letter_version"."subject", waybill."dead_letter_version"."content_type", waybill."dead_letter_version"."correlation_id", waybill."dead_letter_version"."to_address", waybill."dead_letter_version"."reply_to", waybill."dead_letter_version"."reply_to_session_id", waybill."dead_letter_version"."time_to_live", waybill."dead_letter_version"."headers", waybill."dead_letter_version"."body_kind", waybill."dead_letter_version"."payload", waybill."dead_letter_version"."replaced_at" from waybill."dead_letter_version" where (waybill."dead_letter_version"."dead_letter" = $1 and waybill."dead_letter_version"."version" = $2);

select waybill."held_message"."hold_id", waybill."held_message"."place", waybill."held_message"."origin_position", waybill."held_message"."origin_time", waybill."held_message"."deliveries", waybill."held_message"."session_id", waybill."held_message"."message_id", waybill."held_message"."broker_message_id", waybill."held_message"."partition_key", waybill."held_message"."subject", waybill."held_message"."content_type", waybill."held_message"."correlation_id", waybill."held_message"."to_address", waybill."held_message"."reply_to", waybill."held_message"."reply_to_session_id", waybill."held_message"."time_to_live", waybill."held_message"."scheduled_enqueue_time", waybill."held_message"."headers", waybill."held_message"."payload", waybill."held_message"."dead_letter" from waybill."held_message" where (waybill."held_message"."hold_id" = $1 and waybill."held_message"."place" > $2) order by waybill."held_message"."place" fetch next $3 rows only;

select waybill."held_message"."place", octet_length(waybill."held_message"."payload") + case when pg_column_compression(waybill."held_message"."headers") is null then coalesce(pg_column_size(waybill."held_message"."headers"), 0) else 65536 end as "weight" from waybill."held_message" where waybill."held_message"."hold_id" = $1 order by waybill."held_message"."place" fetch next $2 rows only;

select waybill."hold"."id" from waybill."hold" where (waybill."hold"."id" = $1 and waybill."hold"."attempt_token" = cast($2 as uuid)) for update;

select waybill."hold"."id" from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."scope" = $2 and waybill."hold"."bucket" in (select waybill."outbox_lane"."bucket" from waybill."outbox_lane" where (waybill."outbox_lane"."destination" = $3 and waybill."outbox_lane"."bucket" in ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35) and waybill."outbox_lane"."owner" = cast($36 as uuid))) and not exists (select 1 as "one" from waybill."outbox_pause" where waybill."outbox_pause"."destination" = $37) and waybill."hold"."state" = 'retrying' and waybill."hold"."due_at" <= clock_timestamp() and (waybill."hold"."attempt_until" is null or waybill."hold"."attempt_until" <= clock_timestamp())) order by waybill."hold"."due_at", waybill."hold"."id" fetch next $38 rows only for update skip locked;

select waybill."hold"."id" from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."scope" = $2 and waybill."hold"."key" = $3);

select waybill."hold"."id" from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."scope" = $2 and waybill."hold"."key" = $3) for update;

select waybill."hold"."id" from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."scope" = $2 and waybill."hold"."state" = 'retrying' and waybill."hold"."due_at" <= clock_timestamp() and (waybill."hold"."attempt_until" is null or waybill."hold"."attempt_until" <= clock_timestamp())) order by waybill."hold"."due_at", waybill."hold"."id" fetch next $3 rows only for update skip locked;

select waybill."hold"."id" from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."state" in ($2) and waybill."hold"."reason" = $3 and waybill."hold"."id" > $4 and waybill."hold"."id" <= $5) order by waybill."hold"."id" fetch next $6 rows only;

select waybill."hold"."id" from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."state" in ($2) and waybill."hold"."scope" = $3 and waybill."hold"."id" > $4 and waybill."hold"."id" <= $5) order by waybill."hold"."id" fetch next $6 rows only;

select waybill."hold"."id" from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."state" in ($2) and waybill."hold"."scope" = $3 and waybill."hold"."session_id" = $4 and waybill."hold"."id" > $5 and waybill."hold"."id" <= $6) order by waybill."hold"."id" fetch next $7 rows only;

select waybill."hold"."id", waybill."hold"."side", waybill."hold"."scope", waybill."hold"."session_id", waybill."hold"."message_id", waybill."hold"."key", waybill."hold"."bucket", waybill."hold"."state", waybill."hold"."due_at", waybill."hold"."reason", waybill."hold"."description", waybill."hold"."attempts", waybill."hold"."times_parked", waybill."hold"."attempt_token", waybill."hold"."attempt_until", waybill."hold"."attempted_at", waybill."hold"."held_at", waybill."hold"."changed_at" from waybill."hold" where (waybill."hold"."id" = $1 and waybill."hold"."side" = $2 and waybill."hold"."state" in ($3) and waybill."hold"."reason" = $4) for update;

select waybill."hold"."id", waybill."hold"."side", waybill."hold"."scope", waybill."hold"."session_id", waybill."hold"."message_id", waybill."hold"."key", waybill."hold"."bucket", waybill."hold"."state", waybill."hold"."due_at", waybill."hold"."reason", waybill."hold"."description", waybill."hold"."attempts", waybill."hold"."times_parked", waybill."hold"."attempt_token", waybill."hold"."attempt_until", waybill."hold"."attempted_at", waybill."hold"."held_at", waybill."hold"."changed_at" from waybill."hold" where (waybill."hold"."id" = $1 and waybill."hold"."side" = $2 and waybill."hold"."state" in ($3) and waybill."hold"."scope" = $4 and waybill."hold"."session_id" = $5) for update;

select waybill."hold"."id", waybill."hold"."side", waybill."hold"."scope", waybill."hold"."session_id", waybill."hold"."message_id", waybill."hold"."key", waybill."hold"."bucket", waybill."hold"."state", waybill."hold"."due_at", waybill."hold"."reason", waybill."hold"."description", waybill."hold"."attempts", waybill."hold"."times_parked", waybill."hold"."attempt_token", waybill."hold"."attempt_until", waybill."hold"."attempted_at", waybill."hold"."held_at", waybill."hold"."changed_at" from waybill."hold" where (waybill."hold"."id" = $1 and waybill."hold"."side" = $2 and waybill."hold"."state" in ($3) and waybill."hold"."scope" = $4) for update;

select waybill."hold"."id", waybill."hold"."side", waybill."hold"."scope", waybill."hold"."session_id", waybill."hold"."message_id", waybill."hold"."key", waybill."hold"."bucket", waybill."hold"."state", waybill."hold"."due_at", waybill."hold"."reason", waybill."hold"."description", waybill."hold"."attempts", waybill."hold"."times_parked", waybill."hold"."attempt_token", waybill."hold"."attempt_until", waybill."hold"."attempted_at", waybill."hold"."held_at", waybill."hold"."changed_at", (select count(*) from waybill."held_message" where waybill."held_message"."hold_id" = waybill."hold"."id") as "messages", (coalesce((waybill."hold"."attempt_until" > clock_timestamp()), false) = true) as "running" from waybill."hold" where (waybill."hold"."side" = $1 and waybill."hold"."scope" = $2 and waybill."hold"."key" = $3) order by waybill."hold"."held_at", waybill."hold"."id";

select waybill."hold"."id", waybill."hold"."side", waybill."hold"."scope", waybill."hold"."session_id", waybill."hold"."message_id", waybill."hold"."key", waybill."hold"."bucket", waybill."hold"."state", waybill."hold"."due_at", waybill."hold"."reason", waybill."hold"."description", waybill."hold"."attempts", waybill."hold"."times_parked", waybill."hold"."attempt_token", waybill."hold"."attempt_until", waybill."hold"."attempted_at", waybill."hold"."held_at", waybill."hold"."changed_at", (select count(*) from waybill."held_message" where waybill."held_message"."hold_id" = waybill."hold"."id") as "messages", (coalesce((waybill."hold"."attempt_until" > clock_timestamp()), false) = true) as "running" from waybill."hold" where waybill."hold"."side" = $1 order by waybill."hold"."held_at", waybill."hold"."id";

select waybill."hold_audit"."id", waybill."hold_audit"."side", waybill."hold_audit"."scope", waybill."hold_audit"."key", waybill."hold_audit"."action", waybill."hold_audit"."operator", waybill."hold_audit"."reason", waybill."hold_audit"."database_user", waybill."hold_audit"."at", waybill."hold_audit"."before", waybill."hold_audit"."after" from waybill."hold_audit" where (waybill."hold_audit"."side" = $1 and waybill."hold_audit"."scope" = $2 and waybill."hold_audit"."key" = $3) order by waybill."hold_audit"."id";

select waybill."outbox_lane"."bucket", waybill."outbox_lane"."epoch" from waybill."outbox_lane" where (waybill."outbox_lane"."owner" = cast($1 as uuid) and waybill."outbox_lane"."destination" in ($2) and waybill."outbox_lane"."bucket" in ($3)) order by waybill."outbox_lane"."bucket" for share;

select waybill."outbox_suspicion"."destination", waybill."outbox_suspicion"."bucket", waybill."outbox_suspicion"."position", waybill."outbox_suspicion"."epoch", waybill."outbox_suspicion"."takeovers", waybill."outbox_suspicion"."started", waybill."outbox_suspicion"."accused", waybill."outbox_suspicion"."accusations", waybill."outbox_suspicion"."culprits" from waybill."outbox_suspicion" where waybill."outbox_suspicion"."destination" = $1;

select waybill.erasure_barrier();

select waybill.erasure_gate();

update waybill."dead_letter_message" set "payload" = $1 where (waybill."dead_letter_message"."id" = any(cast($2 as bigint[])));

update waybill."dead_letter_message" set "payload" = $1 where waybill."dead_letter_message"."id" = $2;

update waybill."dead_letter_message" set "reply_to_session_id" = $1, "subject" = $2, "content_type" = $3, "partition_key" = $4, "description" = $5, "to_address" = $6, "correlation_id" = $7, "reply_to" = $8, "payload" = $9, "claim" = cast($10 as uuid), "headers" = $11, "emptied" = $12 where waybill."dead_letter_message"."id" = $13;

update waybill."dead_letter_message" set "version" = $1, "session_id" = $2, "partition_key" = $3, "subject" = $4, "content_type" = $5, "correlation_id" = $6, "to_address" = $7, "reply_to" = $8, "reply_to_session_id" = $9, "time_to_live" = $10, "headers" = $11, "body_kind" = case when (waybill."dead_letter_message"."body_kind" = $12 or waybill."dead_letter_message"."payload" = $13) then waybill."dead_letter_message"."body_kind" else $14 end, "payload" = $15 where waybill."dead_letter_message"."id" = $16;

update waybill."dead_letter_redrive" set "items" = $1 where waybill."dead_letter_redrive"."id" = $2;

update waybill."dead_letter_redrive" set "state" = $1, "changed_at" = clock_timestamp(), "paced_at" = clock_timestamp() where (waybill."dead_letter_redrive"."id" = $2 and waybill."dead_letter_redrive"."state" = $3);

update waybill."dead_letter_state" set "changed_at" = clock_timestamp() where (waybill."dead_letter_state"."id" = any(cast($1 as bigint[])));

update waybill."dead_letter_state" set "state" = $1, "changed_at" = clock_timestamp(), "keep_until" = cast($2 as timestamp(6) with time zone) where (waybill."dead_letter_state"."id" = any(cast($3 as bigint[])));

update waybill."dead_letter_state" set "state" = $1, "changed_at" = clock_timestamp(), "keep_until" = clock_timestamp() + $2 * interval '1 millisecond' where (waybill."dead_letter_state"."id" = any(cast($3 as bigint[])));

update waybill."held_message" set "session_id" = $1, "message_id" = $2, "broker_message_id" = $3, "partition_key" = $4, "subject" = $5, "content_type" = $6, "correlation_id" = $7, "to_address" = $8, "reply_to" = $9, "reply_to_session_id" = $10, "time_to_live" = $11, "scheduled_enqueue_time" = cast($12 as timestamp(6) with time zone), "headers" = $13, "payload" = $14 where (waybill."held_message"."hold_id" = $15 and waybill."held_message"."place" = $16);

update waybill."hold" set "attempt_token" = cast($1 as uuid), "attempt_until" = cast($2 as timestamp(6) with time zone), "attempts" = $3, "changed_at" = clock_timestamp() where waybill."hold"."id" = $4;

update waybill."hold" set "attempt_token" = gen_random_uuid(), "attempt_until" = clock_timestamp() + $1 * interval '1 millisecond', "attempted_at" = clock_timestamp(), "attempts" = (waybill."hold"."attempts" + $2) where (waybill."hold"."id" in ($3) and waybill."hold"."state" = $4) returning waybill."hold"."id", waybill."hold"."side", waybill."hold"."scope", waybill."hold"."session_id", waybill."hold"."message_id", waybill."hold"."key", waybill."hold"."bucket", waybill."hold"."state", waybill."hold"."due_at", waybill."hold"."reason", waybill."hold"."description", waybill."hold"."attempts", waybill."hold"."times_parked", waybill."hold"."attempt_token", waybill."hold"."attempt_until", waybill."hold"."attempted_at", waybill."hold"."held_at", waybill."hold"."changed_at";

update waybill."hold" set "state" = $1, "due_at" = clock_timestamp() + $2 * interval '1 millisecond', "attempts" = waybill."hold"."attempts", "changed_at" = clock_timestamp() where waybill."hold"."id" = $3;

update waybill."hold" set "state" = $1, "due_at" = clock_timestamp(), "attempts" = $2, "changed_at" = clock_timestamp() where waybill."hold"."id" = $3;

update waybill."hold" set "state" = $1, "reason" = $2, "description" = $3, "times_parked" = (waybill."hold"."times_parked" + $4), "attempt_token" = cast($5 as uuid), "attempt_until" = cast($6 as timestamp(6) with time zone), "changed_at" = clock_timestamp() where (waybill."hold"."id" in ($7) and waybill."hold"."attempt_token" is not null and waybill."hold"."attempts" >= $8);

update waybill."outbox_suspicion" set "position" = $1, "started" = $2, "accused" = $3, "accusations" = $4, "culprits" = cast($5 as bigint[]) where (waybill."outbox_suspicion"."destination" = $6 and waybill."outbox_suspicion"."bucket" = $7 and exists (select 1 as "one" from waybill."outbox_lane" where (waybill."outbox_lane"."destination" = $8 and waybill."outbox_lane"."bucket" = $9 and waybill."outbox_lane"."owner" = cast($10 as uuid) and waybill."outbox_lane"."epoch" = $11)));

update waybill."outbox_suspicion" set "started" = $1 where (waybill."outbox_suspicion"."destination" = $2 and waybill."outbox_suspicion"."bucket" = $3 and exists (select 1 as "one" from waybill."outbox_lane" where (waybill."outbox_lane"."destination" = $4 and waybill."outbox_lane"."bucket" = $5 and waybill."outbox_lane"."owner" = cast($6 as uuid) and waybill."outbox_lane"."epoch" = $7)));

update waybill."outbox_suspicion" set "takeovers" = $1, "started" = $2, "accused" = $3, "accusations" = $4, "culprits" = cast($5 as bigint[]) where (waybill."outbox_suspicion"."destination" = $6 and waybill."outbox_suspicion"."bucket" = $7 and exists (select 1 as "one" from waybill."outbox_lane" where (waybill."outbox_lane"."destination" = $8 and waybill."outbox_lane"."bucket" = $9 and waybill."outbox_lane"."owner" = cast($10 as uuid) and waybill."outbox_lane"."epoch" = $11)));

update waybill.dead_letter_entity set collected = collected + $1, collected_at = clock_timestamp(),
failing_since = case when $2 then null else failing_since end,
failure_reason = case when $3 then null else failure_reason end,
failure_description = case when $4 then null else failure_description end
where entity = $5 and transfer = $6;

update waybill.dead_letter_entity set drained_at = clock_timestamp(),
failing_since = null, failure_reason = null, failure_description = null
where entity = $1 and transfer = $2;

update waybill.dead_letter_redrive
set position = $1, redriven = redriven + $2, state = $3, canary = case when $4 then null else canary end,
paced_at = clock_timestamp(), changed_at = clock_timestamp()
where id = $5;

update waybill.hold_audit m set before = null, after = null where (m.before is not null or m.after is not null) and exists (select from waybill.erasure_order o where o.digest = any(cast($1 as uuid[])) and o.digest in (waybill.erasure_digest('message', coalesce(m.before, m.after)->>'message_id'), waybill.erasure_digest('session', coalesce(m.before, m.after)->>'session_id')) and coalesce((coalesce(m.before, m.after)->>'origin_time')::timestamptz, (coalesce(m.before, m.after)->>'held_at')::timestamptz, m.at) <= o.applies_until);

update waybill.outbox_lane l
set owner = null, available_at = case when $1 > 0
then clock_timestamp() + $2 * interval '1 millisecond' else '-infinity' end
from unnest(cast($3 as smallint[]), cast($4 as bigint[])) as r(bucket, epoch)
where l.destination = $5 and l.bucket = r.bucket and l.epoch = r.epoch and l.owner = cast($6 as uuid);

with alive as materialized (
select id, name, started_at, serving from waybill.relay_liveness where alive
)
select
coalesce((select a.name = $1 from alive a order by a.started_at, a.id limit 1), true) as tells,
(select count(*)::integer from waybill.outbox_lane l join alive a on a.id = l.owner
where a.name = $2 and l.destination = any(a.serving)) as lanes,
(select coalesce(sum(epoch), 0)::bigint from waybill.outbox_lane) as changes;

with asked as materialized (
select $1::text as destination, $2::text as token, $3::int as rows, $4::bigint as bytes, $5::boolean as one
),
seen as materialized (
select g.* from unnest($6::pg_snapshot[], $7::xid8[]) with ordinality as g(snapshot, next_xid, seen)
),
lanes as materialized (
select a.*, l.bucket, l.position, l.seen, l.lane::int - 1 as lane, (l.position + 1) >> 17 as block,
exists (
select from waybill.hold h
where h.side = 'outbox' and h.scope = a.destination and h.bucket = l.bucket) as holds
from asked a
cross join unnest($8::smallint[], $9::bigint[], $10::int[]) with ordinality as l(bucket, position, seen, lane)
where not exists (select from waybill.outbox_pause p where p.destination = a.destination)
),
late as materialized (
select g.seen, m.*
from seen g
cross join lateral (
select r.xid as row_xid, r.* from waybill.outbox_row r
where (r.xid = any(array(select pg_snapshot_xip(g.snapshot)))
or r.xid >= pg_snapshot_xmax(g.snapshot) and r.xid < g.next_xid)
and r.destination || '' = (select destination from asked)
and r.seq + 0 <= (select max(position) from lanes)
offset 0
) m
),
late_first as (
select l.holds, l.rows, l.bytes, m.*,
row_number() over o as rank, sum((octet_length(m.payload) + case when pg_column_compression(m.headers) is null then coalesce(pg_column_size(m.headers), 0) else 65536 end)) over o as running
from (
select m.*, l.lane from late m join lanes l on l.bucket = m.bucket and l.seen = m.seen
where m.seq <= l.position
order by m.seq
limit (select rows * (select count(*) from lanes) + 1 from asked)
) m join lanes l on l.lane = m.lane
window o as (order by m.seq rows unbounded preceding)
),
late_rows as (
select m.*, m.rank = 1 or m.running <= m.bytes
and m.rank <= m.rows * (select count(*) from lanes) as whole
from late_first m
where m.rank <= 2 or m.running - (octet_length(m.payload) + case when pg_column_compression(m.headers) is null then coalesce(pg_column_size(m.headers), 0) else 65536 end) <= m.bytes
)
select 0 as part, 0 as lane, false as held, false as whole,
case when exists (select from lanes) then pg_current_snapshot()::text else '' end as snapshot,
case when pg_current_wal_flush_lsn() < written then written::text end as unflushed,
coalesce(pg_sequence_last_value('waybill.outbox_message_seq'), 0) as drawn,
coalesce(pg_sequence_last_value('waybill.outbox_lane_seq'), 0) as changes,
(select current_setting('waybill.loop', true) = token from asked) as same,
exists (
select from lanes l join waybill.hold h
on h.side = 'outbox' and h.scope = l.destination and h.bucket = l.bucket
where l.holds and h.state = 'retrying' and h.due_at <= clock_timestamp()
and (h.attempt_until is null or h.attempt_until <= clock_timestamp())) as holds_due,
null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
from pg_current_wal_insert_lsn() as written
union all
select 1, m.lane, case when m.holds and m.session_id is not null then exists (
select from waybill.hold h where h.side = 'outbox' and h.scope = m.destination
and h.key = length(m.session_id)::text || ':' || m.session_id) else false end, m.whole, null, null, null, null, null, null, m.seq, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject, m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live, m.scheduled_enqueue_time, m.headers, case when m.whole then m.payload end
from late_rows m
union all
select 2, l.lane, case when l.holds and m.session_id is not null then exists (
select from waybill.hold h where h.side = 'outbox' and h.scope = l.destination
and h.key = length(m.session_id)::text || ':' || m.session_id) else false end, m.whole, null, null, null, null, null, null, m.seq, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject, m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live, m.scheduled_enqueue_time, m.headers, case when m.whole then m.payload end
from lanes l cross join lateral (
select w.*, (w.running <= l.bytes or l.one and w.rank = 1) and w.rank <= l.rows as whole
from (
select r.*, row_number() over o as rank, sum((octet_length(r.payload) + case when pg_column_compression(r.headers) is null then coalesce(pg_column_size(r.headers), 0) else 65536 end)) over o as running
from (
select u.* from (
(select p.seq, p.session_id, p.message_id, p.broker_message_id, p.partition_key, p.subject, p.content_type, p.correlation_id, p.to_address, p.reply_to, p.reply_to_session_id, p.time_to_live, p.scheduled_enqueue_time, p.headers, p.payload from waybill.outbox_message_0 p
where p.destination = l.destination and waybill.outbox_bucket(p.session_id, p.message_id) = l.bucket
and p.seq > l.position and p.seq < (l.block + 1) << 17
order by p.seq
limit (select rows + 1 from asked))
union all
(select p.seq, p.session_id, p.message_id, p.broker_message_id, p.partition_key, p.subject, p.content_type, p.correlation_id, p.to_address, p.reply_to, p.reply_to_session_id, p.time_to_live, p.scheduled_enqueue_time, p.headers, p.payload from waybill.outbox_straggler p
where (select exists (select from waybill.outbox_straggler))
and p.destination = l.destination and waybill.outbox_bucket(p.session_id, p.message_id) = l.bucket
and p.seq > l.position and p.seq < (l.block + 1) << 17
order by p.seq
limit (select rows + 1 from asked))
) u
order by u.seq
limit (select rows + 1 from asked)
) r
window o as (order by r.seq rows unbounded preceding)
) w
where w.rank <= 2 or w.running - (octet_length(w.payload) + case when pg_column_compression(w.headers) is null then coalesce(pg_column_size(w.headers), 0) else 65536 end) <= l.bytes
) m
where l.block & 7 = 0;

with begun as (insert into waybill.inbox_start as known (key, consumer, starts) values ($1, $2, 1) on conflict (key) do update set starts = known.starts + 1, started_at = clock_timestamp() returning starts) select case when exists (select from waybill.inbox_message where key = $3) then 0 else starts end from begun;

with due as (
select h.id, d.key from waybill.inbox_deferral d join waybill.hold h on h.id = d.hold_id
where d.consumer = $1 and d.resume_at <= clock_timestamp()
limit 1000 for update skip locked),
woken as (delete from waybill.inbox_deferral d using due where d.key = due.key)
update waybill.hold h set due_at = clock_timestamp(), changed_at = clock_timestamp()
from due where h.id = due.id and h.state = 'retrying';

with fenced as (
insert into waybill.inbox_acceptance as known (key, consumer, token) values ($1, $2, $3)
on conflict (key) do update set token = excluded.token, accepted_at = clock_timestamp()
where known.token <= excluded.token
returning token)
select (select key from waybill.hold where side = 'inbox' and scope = $4 and key in ($5, $6) order by length(key) desc limit 1),
exists (select from waybill.inbox_deferral where key = $7),
exists (select from waybill.inbox_deferral where consumer = $8 and session_id = $9 and resume_at <= clock_timestamp()
and hold_id is null and key is distinct from $10::uuid),
pg_backend_pid(), now()::text, current_setting('transaction_isolation'), (select token from fenced), pg_current_snapshot()::text;

with fenced as (insert into waybill.inbox_acceptance as held (key, consumer, token) select $1::uuid, $2, $3 from (select set_config('lock_timeout', '30000ms', true), case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'local', true) end) bounded
on conflict (key) do update set token = excluded.token, accepted_at = clock_timestamp()
where held.token <= excluded.token returning 1),
changed as (update waybill.inbox_deferral d set gone_by = clock_timestamp() + greatest($4::bigint, (select max(longest_attempt) from waybill.inbox_instance where consumer = $5)) * interval '1 millisecond' from fenced where d.key = $6 and d.sequence_number = $7 and hold_id is null returning 1 as answer)
select (select count(*) from fenced)::integer, (select count(*) from changed)::integer,
(select max(answer) from changed)::integer;

with held as (
select h.scope as name, count(distinct h.id) as sessions, count(x.place) as messages
from waybill.hold h left join waybill.held_message x on x.hold_id = h.id
where h.side = 'inbox' group by h.scope
), names as (
select name from waybill.inbox_consumer union select name from held
)
select n.name, coalesce(h.sessions, 0) as sessions, coalesce(h.messages, 0) as messages,
d.deferred, d.forgotten,
exists (select from waybill.inbox_instance a
where a.consumer = n.name and a.alive_until > clock_timestamp()) as alive
from names n left join held h using (name)
cross join lateral (
select count(*) as deferred, count(*) filter (
where resume_at is null and deferred_at < clock_timestamp() - interval '1 day') as forgotten
from (select resume_at, deferred_at from waybill.inbox_deferral where consumer = n.name limit 50000) x) d
order by n.name;

with held as (
select h.scope, count(distinct h.id) as holds, count(x.place) as held
from waybill.hold h left join waybill.held_message x on x.hold_id = h.id
where h.side = 'outbox' group by h.scope
), names as (
select destination from waybill.outbox_backlog union select scope from held
union select destination from waybill.outbox_pause union select destination from waybill.outbox_refusal
)
select n.destination, coalesce(b.pending, 0) as pending, coalesce(b.oldest_age_seconds, 0) as oldest_age_seconds,
coalesce(h.holds, 0) as holds, coalesce(h.held, 0) as held, p.reason as paused,
r.reason || ': ' || r.description as refused
from names n
left join waybill.outbox_backlog b using (destination)
left join held h on h.scope = n.destination
left join waybill.outbox_pause p using (destination)
left join waybill.outbox_refusal r on r.destination = n.destination
and r.seen_at > clock_timestamp() - interval '5 minutes'
order by n.destination;

with ids as (
select consumer as name, count(*) as ids, min(handled_at) as oldest from waybill.inbox_message group by consumer
), deferred as (
select consumer as name, count(*) as deferrals, count(*) filter (
where resume_at is null and deferred_at < clock_timestamp() - interval '1 day') as forgotten
from waybill.inbox_deferral group by consumer
), held as (
select scope as name, count(*) as holds from waybill.hold where side = 'inbox' group by scope
), names as (
select name from ids union select name from deferred union select name from held
union select consumer from waybill.inbox_instance
)
select n.name, coalesce(i.ids, 0) as ids, i.oldest, coalesce(d.deferrals, 0) as deferrals,
coalesce(d.forgotten, 0) as forgotten, coalesce(h.holds, 0) as holds,
exists (select from waybill.inbox_instance a
where a.consumer = n.name and a.alive_until > clock_timestamp()) as alive
from names n left join ids i using (name) left join deferred d using (name) left join held h using (name)
order by n.name;

with live as materialized (
select id, alive, $1 = any(serving) as serves from waybill.relay_liveness
), free as materialized (
select l.bucket,
l.owner is not null and not exists (select from live v where v.id = l.owner and v.alive) as orphaned
from waybill.outbox_lane l
where l.destination = $2 and l.available_at <= clock_timestamp()
and exists (select from live v where v.id = cast($3 as uuid) and v.alive and v.serves)
and (l.owner is null or l.owner <> cast($4 as uuid) and not exists (
select from live v where v.id = l.owner and v.alive and v.serves)
and (l.owner = any(cast($5 as uuid[])) or not exists (
select from waybill.relay_instance i where i.id = l.owner)))
order by l.bucket
limit $6
for update of l skip locked
)
update waybill.outbox_lane l set owner = cast($7 as uuid), epoch = l.epoch + 1, available_at = '-infinity'
from free f where l.destination = $8 and l.bucket = f.bucket
returning l.bucket, l.epoch, f.orphaned;

with live as materialized (
select id, alive_until from waybill.relay_liveness where alive and $1 = any(serving)
), others as materialized (
select count(*)::int as others, coalesce(ceil(extract(epoch from
min(alive_until) - clock_timestamp()) * 1000), 3600000)::bigint as others_end
from live where id <> cast($2 as uuid)
)
select l.bucket, l.epoch, coalesce(l.owner = cast($3 as uuid), false) as mine,
coalesce(l.owner <> cast($4 as uuid), true) and not exists (select from live v where v.id = l.owner) as free,
greatest(0, least(3600000, extract(epoch from
greatest(l.available_at, 'epoch') - clock_timestamp()) * 1000))::bigint as wait,
o.others, o.others_end
from waybill.outbox_lane l cross join others o
where l.destination = $5
order by l.bucket;

with locked as (
select s.id, i.place
from waybill.dead_letter_redrive_page p
cross join lateral unnest(p.dead_letters[$1:$2]) with ordinality as i(id, place)
join waybill.dead_letter_state s on s.id = i.id
where p.redrive = $3 and p.page = $4 and s.state = 'open'
order by s.id
for update of s
)
update waybill.dead_letter_state s
set state = 'redriven', changed_at = clock_timestamp()
from locked l where s.id = l.id
returning s.id, l.place;

with locked as (select pg_advisory_xact_lock(1463900489, $1::integer) from (select
set_config('lock_timeout', '30000ms', true),
set_config('idle_in_transaction_session_timeout', '315000ms', true),
case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'local', true) end, set_config('waybill.admitted', 'yes', true)) bounded)
insert into waybill.inbox_message (key, consumer, message_id)
select $2::uuid, $3::text, $4::text from locked
on conflict do nothing;

with me as materialized (select id from waybill.relay_instance where id = cast($1 as uuid) for update)
insert into waybill.relay_beat (relay, alive_until, serving, destinations, states, since, details)
select id, clock_timestamp() + $2 * interval '1 millisecond', cast($3 as varchar[]), cast($4 as varchar[]), cast($5 as varchar[]),
array(select clock_timestamp() - age * interval '1 millisecond'
from unnest(cast($6 as bigint[])::bigint[]) with ordinality as a(age, place) order by place),
cast($7 as varchar[])
from me;

with newest as (select * from waybill.outbox_message
where destination = $1 and seq > (select last_value from waybill.outbox_message_seq) - 20000
), ids as (
select coalesce(broker_message_id, message_id) as id, created_at,
lag(created_at) over (partition by coalesce(broker_message_id, message_id) order by seq) as before
from newest
)
select count(*) as count, min(id) as id from ids
where created_at - before < $2 * interval '1 millisecond';

with newest as (select * from waybill.outbox_message
where destination = $1 and seq > (select last_value from waybill.outbox_message_seq) - 20000
), same as (
select count(*) - 1 as more from newest
where coalesce(headers->>'waybill-redrive', '') = '' and broker_message_id is null
group by session_id, subject, md5(payload) having count(distinct message_id) > 1 and octet_length(min(payload::text)) > 4
)
select count(*) as messages, count(distinct session_id) as sessions,
count(*) filter (where session_id is null) as without_session,
count(*) filter (where time_to_live is not null) as with_ttl,
coalesce(max(octet_length(payload) + octet_length(coalesce(headers::text, '')) + 512), 0) as largest,
(select coalesce(sum(more), 0)::bigint from same) as same_content
from newest;

with old as (delete from waybill.inbox_instance where alive_until < clock_timestamp() - greatest(interval '10 minutes', longest_attempt * interval '1 millisecond')), known as (insert into waybill.inbox_consumer (name) values ($1) on conflict do nothing) insert into waybill.inbox_instance (id, consumer, longest_attempt, alive_until) values ($2, $3, $4, clock_timestamp() + interval '10 seconds') on conflict (id) do update set alive_until = excluded.alive_until;

with old as (select m.key from waybill.inbox_message m
where m.consumer = $1 and m.handled_at < clock_timestamp() - $2 * interval '1 millisecond'
and not exists (
select from waybill.hold h join waybill.held_message i on i.hold_id = h.id
where h.side = 'inbox' and h.scope = m.consumer and i.message_id = m.message_id)
and not exists (select from waybill.inbox_deferral d where d.key = m.key)
and not exists (
select from waybill.dead_letter l
where l.message_id = m.message_id and (l.state in ('open', 'quarantined')
or l.state = 'redriven' and l.changed_at > clock_timestamp() - $3 * interval '1 millisecond'))
limit 5000),
answers as (delete from waybill.inbox_response r using old where r.key = old.key)
delete from waybill.inbox_message m using old where m.key = old.key;

with recent as materialized (
select * from waybill.outbox_cursor where recorded_at > clock_timestamp() - interval '1 minute'
)
select (select evidence from waybill.outbox_halt) as halted,
s.last_value, p.position, p.next_xid::text as next_xid, p.xmax::text as xmax,
coalesce(s.last_value < p.position, false) as sequence_behind,
coalesce(p.xmax < p.next_xid, false) as xid_behind,
(select r.message_id
from waybill.outbox_message r join recent c on c.destination = r.destination
and c.bucket = waybill.outbox_bucket(r.session_id, r.message_id)
where r.xid >= (select next_xid from recent order by next_xid limit 1)
and r.xid >= c.next_xid and r.seq <= c.position
limit 1) as reused
from (select coalesce(pg_sequence_last_value('waybill.outbox_message_seq'), 0) as last_value) s, (
select max(position) as position, pg_snapshot_xmax(pg_current_snapshot()) as xmax,
(select next_xid from waybill.outbox_cursor order by next_xid desc limit 1) as next_xid
from waybill.outbox_cursor) p;

with unseen as (
select id, key from waybill.inbox_resumption where consumer = $1 and seen_at is null
limit 1000 for update skip locked),
ours as (
select d.key from waybill.inbox_deferral d where d.resume_key in (select key from unseen) for update skip locked),
resumed as (
update waybill.inbox_deferral d set resume_at = clock_timestamp(), tries = 0 from ours where d.key = ours.key)
update waybill.inbox_resumption r set seen_at = clock_timestamp() from unseen u
where r.id = u.id
and not exists (
select from waybill.inbox_deferral d where d.resume_key = r.key and d.key not in (select key from ours));

with waiting as materialized (
select m.ctid, m.seq, octet_length(m.payload) as bytes
from waybill.outbox_message_3 m left join waybill.outbox_cursor c
on c.destination = m.destination and c.bucket = waybill.outbox_bucket(m.session_id, m.message_id)
where m.seq < $1 and not waybill.outbox_is_published(m.xid, m.seq, c.position, c.snapshot, c.next_xid)
limit $2
), batch as (
select w.ctid from (
select ctid, row_number() over o as rank, sum(bytes) over o as running from waiting
window o as (order by seq rows unbounded preceding)
) w where w.rank = 1 or w.running <= $3
), moved as (
delete from waybill.outbox_message_3 where ctid = any(array(select ctid from batch)) returning *
)
insert into waybill.outbox_straggler select * from moved;
