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

/** What Waybill's tables have of messages. Thread-safe. */
final class OutboxTables {
    private static final int MOST_HELD = 1_000;
    private static final String COLUMNS = "message_id, destination, session_id, subject, payload";

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
                dsl.fetch("select " + COLUMNS + ", status as detail from " + schema.table("outbox_message_status")
                                + " order by seq")
                        .map(OutboxTables::seen));
    }

    SeenMessages pending() {
        return new SeenMessages(
                "pending",
                dsl.fetch("select " + COLUMNS + ", '' as detail from " + schema.table("outbox_message_status")
                                + " where status = 'pending' order by seq")
                        .map(OutboxTables::seen));
    }

    SeenMessages scheduled() {
        return new SeenMessages(
                "scheduled in the outbox",
                dsl.fetch("select " + COLUMNS + ", 'due at ' || due_at as detail from "
                                + schema.table("outbox_scheduled") + " order by due_at, id")
                        .map(OutboxTables::seen));
    }

    SeenMessages handled(String consumer) {
        return new SeenMessages(
                "handled by consumer '" + consumer + "'",
                dsl.fetch(
                                "select message_id from " + schema.table("inbox_message")
                                        + " where consumer = {0} order by handled_at, message_id",
                                DSL.val(consumer))
                        .map(row -> SeenMessage.of(row.get(0, String.class), consumer, Optional.empty(), "")));
    }

    SeenMessages held() {
        var found = new ArrayList<SeenMessage>();
        add(found, Holds.ofOutbox(dataSource, schema));
        add(found, InboxHolds.in(dataSource, schema));
        return new SeenMessages("held", found);
    }

    private static void add(List<SeenMessage> found, Holds holds) {
        for (Hold hold : holds.list()) {
            for (HeldMessage held : holds.messages(hold.key(), MOST_HELD)) {
                found.add(seen(hold, held));
            }
        }
    }

    private static SeenMessage seen(Hold hold, HeldMessage held) {
        return new SeenMessage(
                held.content().messageId(),
                hold.key().scope(),
                Optional.ofNullable(held.content().sessionId()),
                Optional.ofNullable(held.content().subject()),
                new String(held.content().body(), StandardCharsets.UTF_8),
                hold.state() + " because of " + hold.cause().reason() + ": "
                        + hold.cause().description());
    }

    /** Where messages wait to be published to. */
    List<String> destinations() {
        return dsl.fetch(
                        "select destination from %1$s.outbox_message union select destination from %1$s.outbox_scheduled"
                                        .formatted(schema)
                                + " union select scope from " + schema.table("hold")
                                + " where side = 'outbox' order by 1")
                .getValues(0, String.class);
    }

    /**
     * Whether a consumer has messages to handle that the broker does not show: due holds and resumed deferrals.
     */
    boolean hasErrands(String consumer) {
        return dsl.fetchSingle(
                        "select exists (select from " + schema.table("hold")
                                + " where side = 'inbox' and scope = {0} and state = 'retrying'"
                                + " and (due_at <= clock_timestamp() or attempt_until > clock_timestamp()))"
                                + " or exists (select from " + schema.table("inbox_deferral")
                                + " where consumer = {0} and hold_id is null and resume_at <= clock_timestamp())",
                        DSL.val(consumer))
                .get(0, Boolean.class);
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
}
