package dev.waybill.deadletter;

import dev.waybill.deadletter.Arrival.Death;
import dev.waybill.deadletter.Arrival.Origin;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.MessageContent;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.SchemaName;
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
        this(database, new SchemaName(database.schema()));
    }

    StoredLetters(TestDatabase database, SchemaName schema) {
        this.database = database;
        this.schema = schema;
        Migrations.of(database.dataSource(), schema).apply();
        dsl = schema.in(DSL.using(database.dataSource(), SQLDialect.POSTGRES));
        letters = DeadLetters.in(database.dataSource(), schema);
    }

    static MessageContent content(String id, String body) {
        return MessageContent.of(id, null, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Stores a dead letter and returns its id. */
    long add(String entity, String reason, MessageContent content) {
        number++;
        var origin = new Origin(
                DeadLetterEntity.ofPath(entity, false),
                number,
                Instant.parse("2026-01-01T00:00:00Z").plusSeconds(number),
                content.messageId(),
                3,
                null);
        var arrival = new Arrival(
                this, origin, new Death(reason, "com.acme." + reason + ": no", null), content, BodyKind.DATA);
        new ArrivalInsert(schema, 3).store(dsl, List.of(arrival), (tx, fresh) -> {});
        return dsl.fetchSingle("select max(id) from " + schema.table("dead_letter"))
                .get(0, Long.class);
    }

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
}
