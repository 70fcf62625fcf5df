-- Orders of erasure that name the messages {0} or the sessions {1}.
select o.ordered_at as at, coalesce(i.id, '') as message_id, i.session as session_id, o.operator, o.reason,
    array['order', o.kind, 'live messages too', case when o.live then 'yes' else 'no' end,
        'database user', o.database_user] as details
from (select id, null::text as session from unnest({0}) as m(id)
      union all select null, s from unnest({1}) as s) i
join waybill.erasure_order o on o.digest = case when i.session is null
    then waybill.erasure_digest('message', i.id) else waybill.erasure_digest('session', i.session) end
