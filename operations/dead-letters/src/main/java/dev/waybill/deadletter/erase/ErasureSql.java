package dev.waybill.deadletter.erase;

import dev.waybill.deadletter.ErasureRequest;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.deadletter.store.ErasureOrders;
import dev.waybill.deadletter.store.ErasureOrders.Names;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;

/** Statements that find what orders name. The first parameter is the digests of the orders. */
final class ErasureSql {
    private static final Names OF_ROW = new Names("m.message_id", "m.session_id", "m.created_at");
    static final Names OF_HELD = new Names("m.message_id", "m.session_id", "m.origin_time");
    private static final String AUDITED = "coalesce(m.before, m.after)";
    private static final Names OF_AUDIT = new Names(
            AUDITED + "->>'message_id'",
            AUDITED + "->>'session_id'",
            "coalesce((" + AUDITED + "->>'origin_time')::timestamptz, (" + AUDITED
                    + "->>'held_at')::timestamptz, m.at)");

    private static final String OF_HOLDS = "m.subject_kind in ('outbox-hold', 'inbox-hold')";

    private final SchemaName schema;

    ErasureSql(SchemaName schema) {
        this.schema = schema;
    }

    /** Locks the next letters: {1} many, after the id {2}. */
    String deadLetters() {
        return "select m.id from " + schema.table("dead_letter") + " m where " + named(Names.OF_LETTER, false)
                + " and m.id > {2} and m.state_id > {2} order by m.id limit {1} for update";
    }

    /** Deletes rows and returns their claims. */
    String published() {
        return DELETE_ROWS.formatted(schema, "outbox_published", "true", named(OF_ROW, false), claimOf());
    }

    String pending() {
        return DELETE_ROWS.formatted(schema, "outbox_message", "true", named(OF_ROW, true), claimOf());
    }

    String scheduled() {
        return DELETE_ROWS.formatted(schema, "outbox_scheduled", "true", named(OF_ROW, true), claimOf());
    }

    String idsOfScheduled() {
        return "select m.id from " + schema.table("outbox_scheduled") + " m where " + named(OF_ROW, true);
    }

    String scheduledOf() {
        return DELETE_ROWS.formatted(schema, "outbox_scheduled", "m.id = {1}", named(OF_ROW, true), claimOf());
    }

    String holds(String side) {
        return "select distinct h.id from " + schema.table(side + "_hold") + " h join "
                + schema.table(side + "_held_message") + " m on m.hold_id = h.id where " + named(OF_HELD, true)
                + " order by h.id";
    }

    String heldMessages(String side) {
        return DELETE_ROWS.formatted(
                schema, side + "_held_message", "m.hold_id = {1}", named(OF_HELD, true), claimOf());
    }

    String holdAudit() {
        return "update " + schema.table("operator_action") + " m set before = null, after = null where " + OF_HOLDS
                + " and (m.before is not null or m.after is not null) and " + named(OF_AUDIT, false);
    }

    String events() {
        return "delete from " + schema.table("message_event") + " m where "
                + named(new Names("m.message_id", "m.session_id", "coalesce(m.origin_time, m.at)"), false);
    }

    /** Finds events by an index. The second parameter is the ids that the orders name. */
    String events(ErasureRequest.Kind kind) {
        String column = DeadLetterRows.column(kind) + "_id";
        return events()
                + (kind == ErasureRequest.Kind.SESSION
                        ? BY_NAME.formatted("lower(m." + column + " collate \"C\")", "lower(i.id collate \"C\")")
                        : BY_NAME.formatted("m." + column, "i.id"));
    }

    // By its last change: no order names the state of a session that has come back since.
    String sessionState() {
        return "delete from " + schema.table("inbox_state") + " m where "
                + named(new Names("null::text", "m.session_id", "m.changed_at"), false);
    }

    String responses() {
        return RESPONSES.formatted(
                schema,
                named(Names.OF_LETTER, false),
                named(OF_ROW, false),
                named(OF_HELD, false),
                AUDITED,
                named(OF_AUDIT, false),
                named(new Names("m.message_id", "null::text", "m.handled_at"), false),
                OF_HOLDS);
    }

    String claims() {
        return new SqlFiles(ErasureSql.class, schema).get("erased-claims");
    }

    String remaining() {
        return LEFT.formatted(schema, named(OF_ROW, false), named(OF_HELD, false), named(Names.OF_LETTER, false));
    }

    String named(Names names, boolean live) {
        return ErasureOrders.among("{0}", names) + " and exists (select from " + schema.table("erasure_order")
                + " o where o.digest = any({0}) and " + ErasureOrders.ordered(names)
                + (live ? " and o.live)" : ")");
    }

    // jsonb writes a space after the colon, Headers does not. Only a UUID: the cast of another text would fail the
    // statement.
    private static String claimOf() {
        return "substring(m.headers::text"
                + " from '\"waybill-claim\": ?\"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\"')::uuid";
    }

    private static final String BY_NAME = """
             and %1$s in (select %2$s from unnest({1}) as i(id))
              and hashtextextended(%1$s collate "C", 0) = any(array(
                select hashtextextended(%2$s collate "C", 0) from unnest({1}) as i(id)))
            """;

    private static final String DELETE_ROWS = "delete from %1$s.%2$s m where %4$s and %3$s returning %5$s";

    private static final String RESPONSES = """
            delete from %1$s.inbox_response r using %1$s.inbox_message m
            where r.key = m.key and (%7$s or m.message_id in (
              select m.message_id from %1$s.dead_letter_message m where %2$s
              union all select m.message_id from %1$s.outbox_message m where %3$s
              union all select m.message_id from %1$s.outbox_published m where %3$s
              union all select m.message_id from %1$s.outbox_scheduled m where %3$s
              union all select m.message_id from %1$s.outbox_held_message m where %4$s
              union all select m.message_id from %1$s.inbox_held_message m where %4$s
              union all select %5$s->>'message_id' from %1$s.operator_action m where %8$s and %6$s))
            """;

    private static final String LEFT = """
            select 'PENDING', count(*) from %1$s.outbox_message m where %2$s
            union all
            select 'SCHEDULED', count(*) from %1$s.outbox_scheduled m where %2$s
            union all
            select 'HELD_IN_OUTBOX', count(*) from %1$s.outbox_held_message m where %3$s
            union all
            select 'HELD_IN_INBOX', count(*) from %1$s.inbox_held_message m where %3$s
            union all
            select 'ARCHIVED_ELSEWHERE', count(*) from %1$s.dead_letter m where m.state = 'archived' and %4$s
            """;
}
