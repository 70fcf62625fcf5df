-- Decisions about whole holds. Parameters: the ids of the holds {0}, negative in the inbox; how many rows are wanted {1}, the
-- keys of the holds {2}.
select e.side, e.scope as place, e.action, e.at, e.operator, e.reason,
    coalesce(e.before, e.after) ->> 'message_id' as message_id,
    coalesce(e.before, e.after) ->> 'session_id' as session_id,
    case e.side when 'inbox' then -1 else 1 end * (coalesce(e.before, e.after)
        ->> case when e.action in ('skip', 'edit') then 'hold_id' else 'id' end)::bigint as hold_id,
    (coalesce(e.before, e.after) ->> 'place')::bigint as hold_place,
    (coalesce(e.before, e.after) ->> 'origin_position')::bigint as origin,
    (coalesce(e.before, e.after) ->> 'origin_time')::timestamptz as origin_time,
    array['database user', e.database_user] as details,
    c.changed, c.changed_from, c.changed_to
from (
    select a.*, split_part(a.subject_kind, '-', 1) as side from waybill.operator_action a
    where a.subject_kind in ('outbox-hold', 'inbox-hold') and a.subject = any({2})
        and a.action not in ('skip', 'edit')
        and case a.subject_kind when 'inbox-hold' then '-' else '' end || (coalesce(a.before, a.after) ->> 'id') in (select i from unnest({0}) as i)
    order by a.id desc limit {1}) e
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
order by e.id desc
