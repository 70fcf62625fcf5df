package dev.waybill.journey;

import dev.waybill.journey.Journey.Part;

/**
 * The statements that ask each table for what it tells of messages. Parameters: the logical ids, and how many rows are
 * wanted, the latest.
 *
 * <p>{@code %1$s} is the schema.
 */
final class JourneySql {
    private JourneySql() {}

    /** A statement, and the part of a journey of which it tells. */
    record Source(Part part, String sql) {}

    private static final String OUTBOX_DETAILS = """
            array['sequence value', seq::text, 'traceparent', headers ->> 'traceparent', 'broker id', broker_message_id,
                'subject', subject, 'bytes', octet_length(payload)::text, 're-drive', headers ->> 'waybill-redrive'] as details
            """;

    static final Source OUTBOX = new Source(Part.OUTBOX_ROWS, """
            select 'outbox' as side, created_at as at, destination as place, message_id, session_id, seq as origin,
                created_at as origin_time, clock_timestamp() as now,
            """ + OUTBOX_DETAILS + """
            from %1$s.outbox_message
            where message_id in (select i from unnest({0}) as i)
            order by created_at desc limit {1}
            """);

    /** Published messages that are retained. */
    static final Source PUBLISHED = new Source(Part.OUTBOX_ROWS, """
            select 'outbox' as side, created_at as at, destination as place, message_id, session_id, seq as origin,
                created_at as origin_time, published_at,
            """ + OUTBOX_DETAILS + """
            from %1$s.outbox_published
            where hashtextextended(message_id collate "C", 0) in (
                    select hashtextextended(i collate "C", 0) from unnest({0}) as i)
                and message_id in (select i from unnest({0}) as i)
            order by created_at desc limit {1}
            """);

    static final Source SCHEDULED = new Source(Part.OUTBOX_ROWS, """
            select 'outbox' as side, created_at as at, destination as place, message_id, session_id, due_at,
                array['subject', subject, 'broker id', broker_message_id, 'traceparent', headers ->> 'traceparent'] as details
            from %1$s.outbox_scheduled
            where message_id = any({0})
            order by created_at desc limit {1}
            """);

    /** Messages that operators took back. Those that applications take back are told nowhere. */
    static final Source CANCELLED = new Source(Part.OUTBOX_ROWS, """
            select 'outbox' as side, at, scope as place, subject as message_id, null as session_id, operator, reason,
                array['due', (before ->> 'due_at')::timestamptz::text, 'database user', database_user] as details
            from %1$s.operator_action
            where subject_kind = 'scheduled-message' and subject = any({0})
            order by at desc limit {1}
            """);

    // Ids of the inbox's holds are told as negative numbers, because both sides count from one.
    private static final String HELD_OF = """
            (select '$side' as side, h.$scope as place, m.message_id, m.session_id, $sign h.id as hold_id, m.place as hold_place,
                m.origin_position as origin, m.origin_time, m.deliveries, m.added_at as at, h.held_at, h.state,
                case h.state when 'retrying' then h.due_at end as due_at, h.reason, left(h.description, 2000) as description,
                exists (select from %1$s.$side_held_message f where f.hold_id = m.hold_id and f.place < m.place) as behind,
                clock_timestamp() as now
            from %1$s.$side_held_message m join %1$s.$side_hold h on h.id = m.hold_id
            where hashtextextended(m.message_id collate "C", 0) in (
                    select hashtextextended(i collate "C", 0) from unnest({0}) as i)
                and m.message_id = any({0})
            order by m.place desc limit {1})
            """;

    static final Source HELD = new Source(
            Part.HOLDS,
            HELD_OF.replace("$side", "outbox").replace("$scope", "destination").replace("$sign", "")
                    + " union all "
                    + HELD_OF.replace("$side", "inbox")
                            .replace("$scope", "consumer")
                            .replace("$sign", "-")
                    + " order by hold_place desc limit {1}");

    static final Source EVENTS = new Source(Part.EVENTS, """
            select side, scope as place, entity, event, message_id, session_id,
                case side when 'inbox' then -hold_id else hold_id end as hold_id, place as hold_place,
                origin_position as origin, origin_time, deliveries, at, since, due_at, times, reason, description,
                xid::text as transaction
            from %1$s.message_event
            where hashtextextended(message_id collate "C", 0) in (
                    select hashtextextended(i collate "C", 0) from unnest({0}) as i)
                and message_id in (select i from unnest({0}) as i)
            order by id + 0 desc limit {1}
            """);

    static final Source HANDLED = new Source(Part.CONSUMERS, """
            select 'inbox' as side, c.name as place, i.id as message_id, m.handled_at as at
            from unnest({0}) as i(id)
            cross join (select name from %1$s.inbox_consumer union select name from %1$s.inbox_key_owner) c
            cross join lateral (
                select t.handled_at from %1$s.inbox_message t
                where t.key = encode(substring(sha256(
                    int4send(octet_length(convert_to(c.name, 'UTF8')))
                        || convert_to(c.name, 'UTF8') || convert_to(i.id, 'UTF8')), 1, 16), 'hex')::uuid
                limit 1) m
            order by m.handled_at desc limit {1}
            """);

    static final Source DEFERRED = new Source(Part.CONSUMERS, """
            select 'inbox' as side, consumer as place, message_id, session_id, -hold_id as hold_id, sequence_number as origin,
                enqueued_at as origin_time, deferred_at as at, resume_at, array['key', defer_key] as details
            from %1$s.inbox_deferral
            where message_id = any({0})
            order by deferred_at desc limit {1}
            """);

    static final Source LETTERS = new Source(Part.DEAD_LETTERS, """
            select 'letters' as side, entity as place, message_id, session_id, sequence_number as origin,
                enqueued_at as origin_time, deliveries, collected_at as at, reason, left(description, 2000) as description,
                array['dead letter', id::text, 'state', state, 'sequence number', sequence_number::text,
                    'broker id', broker_message_id, 'emptied', emptied,
                    're-drives', case when redrives > 0 then redrives::text end] as details
            from %1$s.dead_letter
            where message_id = any({0})
            order by id desc limit {1}
            """);

    // In place of a body, its length.
    private static final String SHOWN =
            "case when d.key = 'payload' then (length(%1$s) - 2) / 2 || ' bytes' else left(%1$s, 200) end";

    private static final String CHANGES = """
            cross join lateral (
                select array_agg(d.key order by d.key) as changed,
                    array_agg(%1$s order by d.key) as changed_from, array_agg(%2$s order by d.key) as changed_to
                from (
                    select coalesce(b.key, a.key) as key, b.value as was, a.value as became
                    from jsonb_each_text(e.before) b full join jsonb_each_text(e.after) a using (key)
                    where b.value is distinct from a.value
                        and coalesce(b.key, a.key) not in ('version', 'replaced_at', 'id', 'place', 'hold_id', 'dead_letter')) d) c
            """.formatted(SHOWN.formatted("d.was"), SHOWN.formatted("d.became"));

    static final Source LETTER_AUDIT = new Source(Part.DEAD_LETTERS, """
            with letter as (
                select id, entity, message_id, session_id, to_jsonb(l) as row
                from %1$s.dead_letter_message l
                where message_id = any({0}) order by id desc limit {1})
            select 'letters' as side, l.entity as place, l.message_id, l.session_id, a.action, a.at, a.operator, a.reason,
                array['dead letter', l.id::text, 'run', a.scope, 'to', r.target,
                    'database user', a.database_user] as details,
                c.changed, c.changed_from, c.changed_to
            from letter l
            join %1$s.operator_action a on a.subject_kind = 'dead-letter'
                and string_to_array(a.subject, ' ') @> array[l.id::text]
            left join %1$s.dead_letter_redrive r on r.id::text = a.scope
            cross join lateral (
                select v.former as before,
                    case when v.former is null then null else coalesce((
                        select to_jsonb(n) from %1$s.dead_letter_version n
                        where n.dead_letter = l.id and n.version = v.version + 1), l.row) end as after
                from (select 1) one
                left join lateral (
                    select o.version, to_jsonb(o) as former from %1$s.dead_letter_version o
                    where a.action = 'edit' and o.dead_letter = l.id and o.replaced_at <= a.at
                    order by o.version desc limit 1) v on true) f
            cross join lateral (
                select f.before, (
                    select jsonb_object_agg(k.key, k.value)
                    from jsonb_each(f.after) k where jsonb_exists(f.before, k.key)) as after) e
            """ + CHANGES + """
            order by a.id desc limit {1}
            """);

    private static final String HOLD_AUDIT = """
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
                select a.*, split_part(a.subject_kind, '-', 1) as side from %1$s.operator_action a
                where a.subject_kind in ('outbox-hold', 'inbox-hold') and a.subject = any({2})
                    and $WHICH in (select i from unnest({0}) as i)
                order by a.id desc limit {1}) e
            """ + CHANGES + """
            order by e.id desc
            """;

    /** The decisions about held messages. Takes the keys of holds behind the other parameters. */
    static final Source HELD_AUDIT = new Source(
            Part.HOLDS,
            HOLD_AUDIT.replace(
                    "$WHICH", "a.action in ('skip', 'edit') and coalesce(a.before, a.after) ->> 'message_id'"));

    /** The decisions about whole holds. Takes their ids in place of those of messages, and their keys. */
    static final Source HOLD_DECISIONS = new Source(
            Part.HOLDS,
            HOLD_AUDIT.replace(
                    "$WHICH",
                    "a.action not in ('skip', 'edit')"
                            + " and case a.subject_kind when 'inbox-hold' then '-' else '' end || (coalesce(a.before, a.after) ->> 'id')"));

    /** Takes a session, or null, behind the ids. */
    static final String ERASED = """
            select o.ordered_at as at, coalesce(i.id, '') as message_id, i.session as session_id, o.operator, o.reason,
                array['order', o.kind, 'live messages too', case when o.live then 'yes' else 'no' end,
                    'database user', o.database_user] as details
            from (select id, null::text as session from unnest({0}) as m(id)
                  union all select null, s from unnest({1}) as s) i
            join %1$s.erasure_order o on o.digest = case when i.session is null
                then %1$s.erasure_digest('message', i.id) else %1$s.erasure_digest('session', i.session) end
            """;
}
