-- Decisions about dead letters. Of an edit also what it changed: the former version against the next one. A body is shown by its
-- length.
--
-- Parameters: the logical ids {0}, and how many rows are wanted {1}; the latest come.
with letter as (
    select id, entity, message_id, session_id, to_jsonb(l) as row
    from waybill.dead_letter_message l
    where message_id = any({0}) order by id desc limit {1})
select 'letters' as side, l.entity as place, l.message_id, l.session_id, a.action, a.at, a.operator, a.reason,
    array['dead letter', l.id::text, 'run', a.scope, 'to', r.target,
        'database user', a.database_user] as details,
    c.changed, c.changed_from, c.changed_to
from letter l
join waybill.operator_action a on a.subject_kind = 'dead-letter'
    and string_to_array(a.subject, ' ') @> array[l.id::text]
left join waybill.dead_letter_redrive r on r.id::text = a.scope
cross join lateral (
    select v.former as before,
        case when v.former is null then null else coalesce((
            select to_jsonb(n) from waybill.dead_letter_version n
            where n.dead_letter = l.id and n.version = v.version + 1), l.row) end as after
    from (select 1) one
    left join lateral (
        select o.version, to_jsonb(o) as former from waybill.dead_letter_version o
        where a.action = 'edit' and o.dead_letter = l.id and o.replaced_at <= a.at
        order by o.version desc limit 1) v on true) f
cross join lateral (
    select f.before, (
        select jsonb_object_agg(k.key, k.value)
        from jsonb_each(f.after) k where jsonb_exists(f.before, k.key)) as after) e
cross join lateral (
    select array_agg(d.key order by d.key) as changed,
        array_agg(case when d.key = 'payload' then (length(d.was) - 2) / 2 || ' bytes' else left(d.was, 200) end order by d.key)
            as changed_from,
        array_agg(case when d.key = 'payload' then (length(d.became) - 2) / 2 || ' bytes' else left(d.became, 200) end order by d.key)
            as changed_to
    from (
        select coalesce(b.key, a.key) as key, b.value as was, a.value as became
        from jsonb_each_text(e.before) b full join jsonb_each_text(e.after) a using (key)
        where b.value is distinct from a.value
            and coalesce(b.key, a.key) not in ('version', 'replaced_at', 'id', 'place', 'hold_id', 'dead_letter')) d) c
order by a.id desc limit {1}
