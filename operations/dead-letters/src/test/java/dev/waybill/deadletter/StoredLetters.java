package dev.waybill.deadletter;

import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.deadletter.ReceivedDeadLetter.Death;
import dev.waybill.deadletter.ReceivedDeadLetter.Origin;
import dev.waybill.deadletter.store.LetterStore;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.message.AmqpValue;
import dev.waybill.message.MessageContent;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** The tables, with dead letters in them that came from no broker. */
public final class StoredLetters {
    public final TestDatabase database;
    public final SchemaName schema;
    public final DSLContext dsl;
    public final DeadLetters letters;
    private long number;

    public StoredLetters(TestDatabase database) {
        this(
                database,
                new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all()))));
    }

    public StoredLetters(TestDatabase database, SchemaName schema) {
        this.database = database;
        this.schema = schema;
        database.createTables(Migrations.sql(schema, Feature.all()));
        dsl = schema.in(DSL.using(database.dataSource(), SQLDialect.POSTGRES));
        letters = DeadLetters.in(database.dataSource(), schema);
    }

    /** Those of another, in a transaction. */
    public StoredLetters(DSLContext tx, StoredLetters of) {
        database = of.database;
        schema = of.schema;
        dsl = tx;
        letters = of.letters;
    }

    public static MessageContent content(String id, String body) {
        return MessageContent.of(id, null, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Stores a dead letter and returns its id. */
    public long add(String entity, String reason, MessageContent content) {
        number++;
        return add(
                entity,
                reason,
                new Place(number, Instant.parse("2026-01-01T00:00:00Z").plusSeconds(number)),
                content);
    }

    /** The same, that stood at a certain place. */
    public long add(String entity, String reason, Place place, MessageContent content) {
        var origin = new Origin(
                DeadLetterEntity.ofPath(entity, false), place.number, place.at, content.messageId(), 3, null);
        var arrival = new ReceivedDeadLetter(
                this, origin, new Death(reason, "com.acme." + reason + ": no", null), content, BodyKind.DATA);
        new LetterStore(schema, 3).store(dsl, List.of(arrival), (tx, fresh) -> {});
        return dsl.fetchSingle("select coalesce(max(id), 0) from " + schema.table("dead_letter"))
                .get(0, Long.class);
    }

    /** Where a message stood on the broker. */
    public record Place(long number, Instant at) {}

    public long add(String id, String body) {
        return add("orders", "BadException", content(id, body));
    }

    public MessageContent typed(String id) {
        return content(id, "body of " + id).withProperties(Map.copyOf(everyType()));
    }

    public void execute(String sql) {
        dsl.execute(sql.replace("$schema", schema.value()));
    }

    public List<DeadLetter> all() {
        return letters.list(DeadLetterFilter.everything(), 0, 1_000);
    }

    /** As if a relay had been at work for these destinations. */
    public void served(String... destinations) {
        for (String destination : destinations) {
            dsl.execute(
                    "insert into " + schema.table("outbox_destination")
                            + " (destination) values ({0}) on conflict do nothing",
                    DSL.val(destination));
        }
    }

    /** As if a consumer had been at work. */
    public void consumer(String name) {
        dsl.execute("insert into " + schema.table("inbox_consumer") + " (name) values ({0})", DSL.val(name));
    }

    /** The first column of what a query finds, as texts. */
    public List<String> texts(String sql) {
        return dsl.fetch(sql.replace("$schema", schema.value())).getValues(0, String.class);
    }

    /** A property of each type. */
    public static Map<String, Object> everyType() {
        return Map.ofEntries(
                Map.entry("text", "t\u00e4xt \"quoted\" \\ \u0000 nul"),
                Map.entry("true", true),
                Map.entry("long", Long.MIN_VALUE),
                Map.entry("int", 42),
                Map.entry("short", (short) -7),
                Map.entry("byte", (byte) 7),
                Map.entry("double", 0.1),
                Map.entry("float", 1.5f),
                Map.entry("char", 'x'),
                Map.entry("uuid", UUID.fromString("00000000-0000-0001-0000-000000000002")),
                Map.entry("uri", URI.create("https://example.org/a?b=c")),
                Map.entry("duration", Duration.ofMillis(90_061_001)),
                Map.entry("foreign", new AmqpValue("decimal128", "8c3c00000000000000000000000007cf")),
                Map.entry("offset", OffsetDateTime.parse("2026-01-02T03:04:05.678Z")));
    }
}
