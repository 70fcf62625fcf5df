package dev.waybill.test;

import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.schema.SchemaName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

final class OutboxTables {
    private static final int MOST_HELD = 1_000;
    private static final String COLUMNS = "message_id, destination, session_id, subject, payload";

    // The last part: deferrals that were stored while their key was being resumed, and were not seen by that.
    private static final String ERRANDS = """
            select 'a hold that is due' from %1$s
            where consumer = {0} and state = 'retrying'
              and (due_at <= clock_timestamp() or attempt_until > clock_timestamp())
            union all
            select 'deferred message ' || quote_literal(message_id) || ', which was resumed, after ' || tries || ' tries'
            from %2$s where consumer = {0} and resume_at is not null
            union all
            select 'deferred message ' || quote_literal(d.message_id) || ', which was resumed'
            from %2$s d join %3$s r on r.key = d.resume_key
            where d.consumer = {0} and d.resume_at is null and r.seen_at is null
            """;

    private final DSLContext dsl;
    private final DataSource dataSource;
    private final SchemaName schema;

    OutboxTables(DataSource dataSource, SchemaName schema) {
        this.dataSource = dataSource;
        this.schema = schema;
        dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    DSLContext dsl() {
        return dsl;
    }

    SeenMessages appended() {
        return new SeenMessages(
                "in the outbox",
                dsl.fetch("select " + COLUMNS + ", 'pending' as detail from " + schema.table("outbox_message")
                                + " order by seq")
                        .map(OutboxTables::seen),
                this::unseen);
    }

    List<SeenMessage> publishable() {
        return dsl.fetch("select " + COLUMNS
                        + ", 'pending' as detail, 0 as kind, seq as place, null::timestamptz as due from "
                        + schema.table("outbox_message") + " union all select "
                        + COLUMNS + ", 'due since ' || due_at, 1, 0, due_at from " + schema.table("outbox_scheduled")
                        + " where due_at <= clock_timestamp() order by kind, place, due")
                .map(OutboxTables::seen);
    }

    SeenMessages scheduled() {
        return new SeenMessages(
                "scheduled in the outbox",
                dsl.fetch("select " + COLUMNS + ", 'due at ' || due_at as detail from "
                                + schema.table("outbox_scheduled") + " order by due_at, created_at")
                        .map(OutboxTables::seen),
                this::unseen);
    }

    SeenMessages handled(String consumer) {
        return new SeenMessages(
                "handled by consumer '" + consumer + "'",
                dsl.fetch(
                                "select message_id from " + schema.table("inbox_message")
                                        + " where consumer = {0} order by handled_at, message_id",
                                DSL.val(consumer))
                        .map(row -> SeenMessage.of(row.get(0, String.class), consumer, Optional.empty(), "")),
                this::unseen);
    }

    SeenMessages held() {
        var found = new ArrayList<SeenMessage>();
        add(found, Holds.ofOutbox(dataSource, schema));
        add(found, InboxHolds.in(dataSource, schema));
        return new SeenMessages("held", found);
    }

    private static void add(List<SeenMessage> found, Holds holds) {
        for (Hold hold : holds.list()) {
            String why = hold.state() + " because of " + hold.cause().reason() + ": "
                    + hold.cause().description();
            for (HeldMessage held : holds.messages(hold.key(), MOST_HELD)) {
                found.add(seen(hold, held, why));
                // The cause is that of the first message.
                why = hold.state() + ", behind the first";
            }
        }
    }

    private static SeenMessage seen(Hold hold, HeldMessage held, String why) {
        return new SeenMessage(
                held.content().messageId(),
                hold.key().scope(),
                Optional.ofNullable(held.content().sessionId()),
                Optional.ofNullable(held.content().subject()),
                new String(held.content().body(), StandardCharsets.UTF_8),
                why);
    }

    List<String> destinations() {
        return dsl.fetch(
                        "select destination from %1$s.outbox_message union select destination from %1$s.outbox_scheduled"
                                        .formatted(schema)
                                + " union select destination from " + schema.table("outbox_hold") + " order by 1")
                .getValues(0, String.class);
    }

    /** Due holds and resumed deferrals of a consumer, in words: the broker does not show them as active. */
    List<String> errands(String consumer) {
        return dsl.fetch(
                        ERRANDS.formatted(
                                schema.table("inbox_hold"),
                                schema.table("inbox_deferral"),
                                schema.table("inbox_resumption")),
                        DSL.val(consumer))
                .getValues(0, String.class);
    }

    private static SeenMessage seen(Record row) {
        return new SeenMessage(
                row.get("message_id", String.class),
                row.get("destination", String.class),
                Optional.ofNullable(row.get("session_id", String.class)),
                Optional.ofNullable(row.get("subject", String.class)),
                new String(row.get("payload", byte[].class), StandardCharsets.UTF_8),
                row.get("detail", String.class));
    }

    /** Transactions that have appended and are open, of any pool, in words. */
    List<String> openAppends() {
        return dsl.fetch("""
                        select distinct a.pid, a.application_name, a.state, a.query
                        from pg_stat_activity a join pg_locks l on l.pid = a.pid and l.mode = 'RowExclusiveLock'
                        join pg_class c on c.oid = l.relation and c.relnamespace = {0}::regnamespace
                        where a.datname = current_database() and a.state like 'idle in transaction%'
                          and (c.relname = 'outbox_message' or c.relname = 'outbox_scheduled')
                        """, DSL.val(schema.value()))
                .map(row -> "in a transaction that is open: server process "
                        + row.get("pid") + " (" + row.get("application_name") + "), last statement: "
                        + String.valueOf(row.get("query")).strip().replaceAll("\\s+", " "));
    }

    /** For a helper that has found nothing: the appends that it cannot see; empty if there are none. */
    String unseen() {
        List<String> open = openAppends();
        return open.isEmpty()
                ? ""
                : "\nAn append is not seen before its commit, and there is one " + String.join("\n  and ", open)
                        + "\nCommit it first. A test with @Transactional never does: take the annotation off, and call the"
                        + " service, a TransactionTemplate or TestTransaction.flagForCommit() and end()";
    }
}
