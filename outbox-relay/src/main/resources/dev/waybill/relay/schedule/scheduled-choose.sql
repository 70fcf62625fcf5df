-- Finds up to {4} due rows of the destination {0} in order, then locks those that are not locked. A row that changed meanwhile
-- has another ctid and counts as locked. Excludes the sessions {1} and the messages {2} without session; {3} is the only
-- session, or null. Sessions are in lower case.
--
-- clock_timestamp() is volatile and would prevent the index. The planner cannot estimate the due rows, so each part allows one
-- plan: the order is that of one index, and the second part reads by ctid, with a condition that fits no index.
with found as materialized (
  select s.ctid as tid, s.message_id, s.session_id, s.due_at, s.id, octet_length(s.payload) as bytes
  from waybill.outbox_scheduled s
  where s.destination = {0} and s.due_at <= statement_timestamp()
    and ({3}::text is null or lower(s.session_id collate "C") = {3})
    and case when s.session_id is null then s.message_id not in (select unnest({2}::text[]))
      else lower(s.session_id collate "C") not in (select unnest({1}::text[])) end
  order by s.due_at, s.id limit {4}
), ours as materialized (
  select s.ctid as tid from waybill.outbox_scheduled s
  where s.ctid = any (array(select f.tid from found f)) and s.due_at + interval '0' <= statement_timestamp()
  for update of s skip locked
)
select f.tid::text as tid, f.message_id, f.session_id, f.bytes, f.tid in (select o.tid from ours o) as locked
from found f order by f.due_at, f.id
