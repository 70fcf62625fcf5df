package dev.waybill.deadletter;

import dev.waybill.deadletter.Arrival.Death;
import dev.waybill.deadletter.Arrival.Origin;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.message.MessageContent;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** The tables, with dead letters in them that came from no broker. */
final class StoredLetters {
    final TestDatabase database;
    final SchemaName schema;
    final DSLContext dsl;
    final DeadLetters letters;
    private long number;

    StoredLetters(TestDatabase database) {
        this(
                database,
                new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all()))));
    }

    StoredLetters(TestDatabase database, SchemaName schema) {
        this.database = database;
        this.schema = schema;
        database.createTables(Migrations.sql(schema, Feature.all()));
        dsl = schema.in(DSL.using(database.dataSource(), SQLDialect.POSTGRES));
        letters = DeadLetters.in(database.dataSource(), schema);
    }

    /** Those of another, in a transaction. */
    StoredLetters(DSLContext tx, StoredLetters of) {
        database = of.database;
        schema = of.schema;
        dsl = tx;
        letters = of.letters;
    }

    static MessageContent content(String id, String body) {
        return MessageContent.of(id, null, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Stores a dead letter and returns its id. */
    long add(String entity, String reason, MessageContent content) {
        number++;
        return add(
                entity,
                reason,
                new Place(number, Instant.parse("2026-01-01T00:00:00Z").plusSeconds(number)),
                content);
    }

    /** The same, that stood at a certain place. */
    long add(String entity, String reason, Place place, MessageContent content) {
        var origin = new Origin(
                DeadLetterEntity.ofPath(entity, false), place.number, place.at, content.messageId(), 3, null);
        var arrival = new Arrival(
                this, origin, new Death(reason, "com.acme." + reason + ": no", null), content, BodyKind.DATA);
        new ArrivalInsert(schema, 3).store(dsl, List.of(arrival), (tx, fresh) -> {});
        return dsl.fetchSingle("select coalesce(max(id), 0) from " + schema.table("dead_letter"))
                .get(0, Long.class);
    }

    /** Where a message stood on the broker. */
    record Place(long number, Instant at) {}

    long add(String id, String body) {
        return add("orders", "BadException", content(id, body));
    }

    MessageContent typed(String id) {
        return content(id, "body of " + id).withProperties(Map.copyOf(CollectorTest.everyType()));
    }

    void execute(String sql) {
        dsl.execute(sql.replace("$schema", schema.value()));
    }

    List<DeadLetter> all() {
        return letters.list(DeadLetterFilter.everything(), 0, 1_000);
    }

    /** As if a relay had been at work for these destinations. */
    void served(String... destinations) {
        for (String destination : destinations) {
            dsl.execute(
                    "insert into " + schema.table("outbox_destination")
                            + " (destination) values ({0}) on conflict do nothing",
                    DSL.val(destination));
        }
    }

    /** As if a consumer had been at work. */
    void consumer(String name) {
        dsl.execute("insert into " + schema.table("inbox_consumer") + " (name) values ({0})", DSL.val(name));
    }

    /** The first column of what a query finds, as texts. */
    List<String> texts(String sql) {
        return dsl.fetch(sql.replace("$schema", schema.value())).getValues(0, String.class);
    }
}
