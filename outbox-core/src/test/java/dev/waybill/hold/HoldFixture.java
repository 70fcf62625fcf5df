package dev.waybill.hold;

import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.HeldMessage.Origin;
import dev.waybill.message.MessageContent;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Holds of one test's schema. */
final class HoldFixture {
    static final Cause REFUSED = new Cause("Refused", "too large");
    static final AuditContext BY_ANNA = new AuditContext("anna", "the partner has fixed it");
    static final Attempts.Limits LIMITS = new Attempts.Limits(10, 100, Duration.ofMinutes(1));

    final DataSource dataSource;
    final SchemaName schema;
    final DSLContext dsl;
    final HoldTable table;
    final Attempts attempts;
    final Holds holds;
    final List<String> skipped = new ArrayList<>();

    HoldFixture(TestDatabase database) {
        dataSource = database.dataSource();
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        table = HoldTable.in(schema, HoldSide.INBOX);
        attempts = Attempts.in(schema, HoldSide.INBOX);
        holds = Holds.ofInbox(
                database.dataSource(),
                schema,
                (tx, key, message) -> skipped.add(message.content().messageId()));
    }

    static HoldKey session(String name) {
        return HoldKey.session(HoldSide.INBOX, "ledger", name);
    }

    HoldKey parked(String session, String... ids) {
        HoldKey key = session(session);
        dsl.transaction(tx -> {
            long hold = table.park(tx.dsl(), key, REFUSED);
            for (String id : ids) {
                add(tx.dsl(), hold, id);
            }
        });
        return key;
    }

    void join(DSLContext tx, HoldKey key, String id) {
        add(tx, table.join(tx, key), id);
    }

    void add(DSLContext tx, long hold, String id) {
        add(tx, table, hold, id);
    }

    void add(DSLContext tx, HoldTable table, long hold, String id) {
        table.add(
                tx,
                hold,
                new Origin(id.hashCode(), Instant.EPOCH, 1),
                MessageContent.of(id, null, id.getBytes(StandardCharsets.UTF_8)));
    }

    List<Attempt> begin() {
        return attempts.begin(dsl, DSL.trueCondition(), LIMITS);
    }

    void endTimeOfAttempts() {
        dsl.execute("update " + schema.table("inbox_hold") + " set attempt_until = clock_timestamp()");
    }

    List<String> ids(HoldKey key) {
        return ids(holds.messages(key, 100));
    }

    static List<String> ids(List<HeldMessage> messages) {
        return messages.stream().map(message -> message.content().messageId()).toList();
    }
}
