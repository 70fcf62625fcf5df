package dev.waybill.journey;

import dev.waybill.deadletter.DeadLetters;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AttemptResult;
import dev.waybill.hold.Attempts;
import dev.waybill.hold.Cause;
import dev.waybill.hold.HeldMessage.Origin;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.inbox.Inbox;
import dev.waybill.journey.JourneyEntry.Step;
import dev.waybill.message.MessageContent;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** The tables, and what relays and consumers write into them. */
final class JourneyFixture {
    final SchemaName schema;
    final DSLContext dsl;
    final Journeys journeys;
    private final TestDatabase database;
    private long number;

    private static final String PUBLISH = """
            with gone as (delete from $schema.outbox_message returning *)
            insert into $schema.outbox_published (
              seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type,
              correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload,
              created_at)
            select
              seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type,
              correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers, payload,
              created_at
            from gone
            """;

    JourneyFixture(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = schema.in(DSL.using(database.dataSource(), SQLDialect.POSTGRES));
        journeys = Journeys.in(database.dataSource(), schema);
        execute("insert into $schema.inbox_consumer (name) values ('ledger'), ('audit')");
        execute("insert into $schema.outbox_destination (destination) values ('orders')");
    }

    void append(String destination, String id, @Nullable String session) {
        var message = OutboxMessage.to(destination).id(id).text("body of " + id);
        OutboxMessage built = (session == null ? message : message.session(session)).build();
        dsl.transaction(tx -> Outbox.builder().schema(schema).build().append(tx.dsl(), built));
    }

    /** The relay has published all messages that wait, and retains them. */
    void publishAll() {
        execute(PUBLISH);
    }

    void handled(String consumer, String id) {
        dsl.transaction(tx -> Inbox.in(schema).firstTime(tx.dsl(), consumer, id));
    }

    /** A consumer parks a session's messages. */
    void hold(HoldKey key, String... ids) {
        HoldTable holds = HoldTable.in(schema, key.side());
        for (String id : ids) {
            dsl.transaction(tx -> {
                boolean first = holds.lock(tx.dsl(), key).isEmpty();
                long hold = first
                        ? holds.park(tx.dsl(), key, new Cause("Failed", "no\0 such wallet"))
                        : holds.join(tx.dsl(), key);
                number++;
                holds.add(tx.dsl(), hold, new Origin(number, Instant.now(), 1), content(id, key.session()));
            });
        }
    }

    /** A relay parks the row of a message. */
    void holdOfOutbox(HoldKey key, String id) {
        HoldTable holds = HoldTable.in(schema, key.side());
        dsl.transaction(tx -> {
            var row = tx.dsl()
                    .fetchSingle(
                            "delete from " + schema.table("outbox_message")
                                    + " where message_id = {0} returning seq, created_at",
                            DSL.val(id));
            var origin = new Origin(
                    row.get(0, Long.class), row.get(1, OffsetDateTime.class).toInstant(), 0);
            holds.add(
                    tx.dsl(),
                    holds.park(tx.dsl(), key, new Cause("Refused", "too large")),
                    origin,
                    content(id, key.session()));
        });
    }

    private static MessageContent content(String id, @Nullable String session) {
        return MessageContent.of(id, session, ("content of " + id).getBytes(StandardCharsets.UTF_8));
    }

    /** A consumer handles a held message: its id is recorded in the transaction that takes it out. */
    void handleHeld(String id) {
        dsl.transaction(tx -> {
            Inbox.in(schema).firstTime(tx.dsl(), "ledger", id);
            tx.dsl()
                    .execute(
                            "delete from " + schema.table("inbox_held_message") + " where message_id = {0}",
                            DSL.val(id));
        });
    }

    /** A consumer tells of a failure. */
    void failed(String id) {
        dsl.execute(
                "insert into " + schema.table("message_event")
                        + " (side, scope, event, message_id) values ('inbox', 'ledger', 'failed', {0})",
                DSL.val(id));
    }

    /** A consumer tells of a failure when so many partitions of the ring have been filled before. */
    void event(long filled, String id) {
        execute("select setval('$schema.message_event_seq', " + ((filled << 17) + 10) + ")");
        failed(id);
    }

    int trim() {
        return dsl.fetchSingle("select " + schema.table("message_event_trim") + "()")
                .get(0, Integer.class);
    }

    /** An attempt at what is due ends so; one that ends with null is never heard of again. */
    void attempt(@Nullable AttemptResult ending) {
        var attempts = Attempts.in(schema, HoldSide.INBOX);
        Duration length = ending == null ? Duration.ZERO : Duration.ofMinutes(1);
        var begun = attempts.begin(dsl, DSL.trueCondition(), new Attempts.Limits(1, 1, length));
        if (ending != null) {
            attempts.settle(dsl, begun.get(0), List.of(), ending);
        }
    }

    void parkAgain(HoldKey key) {
        dsl.transaction(tx -> HoldTable.in(schema, key.side()).park(tx.dsl(), key, new Cause("Other", "again")));
    }

    int allEvents() {
        return dsl.fetchCount(DSL.table(schema.table("message_event")));
    }

    long letter(String id) {
        return dsl.fetchSingle(
                        "with m as (insert into $schema.dead_letter_message (key, entity, sequence_number, enqueued_at, message_id, payload)"
                                        .replace("$schema", schema.value())
                                + " values (gen_random_uuid(), 'orders', 1, now(), {0}, 'ten bytes.') returning id)"
                                + " insert into " + schema.table("dead_letter_state")
                                + " (id, state) select id, 'open' from m returning id",
                        DSL.val(id))
                .get(0, Long.class);
    }

    DeadLetters letters() {
        return DeadLetters.in(database.dataSource(), schema);
    }

    /** As where the feature was never installed. */
    void withoutEvents() {
        for (String side : List.of("outbox", "inbox")) {
            execute("drop function $schema.message_event_of_" + side + " cascade");
        }
        execute("drop function $schema.message_event_of_deferral cascade");
        execute("drop table $schema.message_event");
    }

    Journey of(String id) {
        return journeys.of(SearchTerm.message(id), 100);
    }

    List<Step> steps(String id) {
        return of(id).entries().stream().map(JourneyEntry::step).toList();
    }

    int events(String id) {
        return dsl.fetchCount(DSL.table(schema.table("message_event")), DSL.condition("message_id = {0}", DSL.val(id)));
    }

    Instant time(String sql) {
        return dsl.fetchSingle(sql.replace("$schema", schema.value()))
                .get(0, OffsetDateTime.class)
                .toInstant();
    }

    void execute(String sql) {
        dsl.execute(sql.replace("$schema", schema.value()));
    }
}
