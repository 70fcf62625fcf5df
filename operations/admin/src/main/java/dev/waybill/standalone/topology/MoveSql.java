package dev.waybill.standalone.topology;

/** The statements of a move; {0} is the destination. */
final class MoveSql {
    private MoveSql() {}

    static final String STATE = """
            select destination, entity, former_entities, moves_from, moves_to, move_operator, move_reason,
              coalesce(moves_until > clock_timestamp(), false) as withheld
            from %1$s.outbox_destination where (entity is not null or moves_to is not null)""";

    static final String NOT_FOLLOWING = """
            select r.name from %1$s.relay r
            where r.alive_until > clock_timestamp() and {0} = any (r.destinations) and not r.follows_entities
            order by r.name
            """;

    static final String SESSIONLESS = """
            select exists (select from %1$s.outbox_message where destination = {0} and session_id is null)
              or exists (select from %1$s.outbox_scheduled where destination = {0} and session_id is null)
              or exists (select from %1$s.outbox_hold where destination = {0} and session_id is null)
            """;

    static final String BEGIN = """
            insert into %1$s.outbox_destination as d
              (destination, moves_from, moves_to, move_token, moves_since, moves_until, move_operator, move_reason)
            values ({0}, {1}, {2}, {3}, clock_timestamp(), clock_timestamp() + {4} * interval '1 millisecond', {5}, {6})
            on conflict (destination) do update set
              moves_from = excluded.moves_from, moves_to = excluded.moves_to, move_token = excluded.move_token,
              moves_since = excluded.moves_since, moves_until = excluded.moves_until,
              move_operator = excluded.move_operator, move_reason = excluded.move_reason
            where coalesce(d.moves_until <= clock_timestamp(), true)
              and (d.entity is null or lower(d.entity) = lower(excluded.moves_from))
            """;

    static final String PROLONG = """
            update %1$s.outbox_destination set moves_until = clock_timestamp() + {2} * interval '1 millisecond'
            where destination = {0} and move_token = {1} and moves_until > clock_timestamp()
            """;

    static final String LOCK_OWNER = """
            select r.id from %1$s.relay r
            where r.id = (select d.owner from %1$s.outbox_destination d where d.destination = {0}) for update
            """;

    static final String LOCK = "select from %1$s.outbox_destination where destination = {0} for update";

    // Without a row there is no move to take.
    static final String IN_USE = """
            select not exists (
                select from %1$s.outbox_destination d
                where d.destination = {0} and d.moves_until > clock_timestamp() and d.free_at <= clock_timestamp())
              or exists (
                select from %1$s.outbox_destination d join %1$s.relay r on r.id = d.owner
                where d.destination = {0} and r.alive_until > clock_timestamp() and {0} = any (r.serving))
              or exists (
                select from %1$s.outbox_hold h
                where h.destination = {0} and h.attempt_token is not null and h.attempt_until > clock_timestamp())
            """;

    // Prevents late settlements of messages sent to the old entity.
    static final String END_ATTEMPTS = """
            update %1$s.outbox_hold set attempt_token = null, attempt_until = null
            where destination = {0} and attempt_token is not null and attempt_until <= clock_timestamp()
            """;

    static final String TAKE = """
            update %1$s.outbox_destination set owner = null, epoch = epoch + 1 where destination = {0} returning epoch
            """;

    static final String FINISH = """
            update %1$s.outbox_destination d
            set entity = moves_to, entity_partitioned = {3}, switched_at = clock_timestamp(),
              former_entities = array_append(array_remove(former_entities, moves_to), moves_from),
              moves_from = null, moves_to = null, move_token = null, moves_since = null, moves_until = null,
              move_operator = null, move_reason = null
            from (select destination as name, moves_since as since from %1$s.outbox_destination) o
            where o.name = d.destination and d.destination = {0} and d.move_token = {1}
              and d.moves_until > clock_timestamp() and d.epoch = {2} and d.owner is null
            returning (extract(epoch from clock_timestamp() - o.since) * 1000)::bigint
            """;

    static final String ABORT = """
            update %1$s.outbox_destination
            set moves_from = null, moves_to = null, move_token = null, moves_since = null, moves_until = null,
              move_operator = null, move_reason = null
            where destination = {0} and moves_to is not null and ({1}::uuid is null or move_token = {1}::uuid)
            """;
}
