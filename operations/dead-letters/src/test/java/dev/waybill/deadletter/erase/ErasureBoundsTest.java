package dev.waybill.deadletter.erase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.val;

import dev.waybill.deadletter.Erasure;
import dev.waybill.deadletter.ErasureReport;
import dev.waybill.deadletter.ErasureRequest;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.util.regex.Pattern;
import org.jooq.DSLContext;
import org.jooq.Param;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows that an erasure looks at beside those that it removes. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ErasureBoundsTest {
    private static final AuditContext ADA = new AuditContext("ada", "because");
    private static final Pattern ROWS = Pattern.compile("Rows Removed by (?:Filter|Join Filter|Index Recheck): (\\d+)");
    private static final int MANY = 10_000;

    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;

    @BeforeEach
    void create_many_events(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schema());
        database.createTables(Migrations.sql(schema, Feature.all()));
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        dsl.execute("insert into " + schema.table("message_event") + " (side, scope, event, message_id, session_id)"
                + " select 'inbox', 'ledger', 'failed', 'm' || i, 's' || i % 5000 from generate_series(1, " + MANY
                + ") i");
        dsl.execute("analyze " + schema.table("message_event"));
    }

    @ParameterizedTest
    @CsvSource({"MESSAGE, m77", "SESSION, s77"})
    void an_erasure_by_name_looks_at_no_event_of_another_message(ErasureRequest.Kind kind, String id) {
        var request = new ErasureRequest(kind, id, false);
        var digests = val(new java.util.UUID[] {
            dsl.fetchSingle(
                            "select " + schema.table("erasure_digest") + "({0}, {1})",
                            val(DeadLetterRows.column(kind)),
                            val(id))
                    .get(0, java.util.UUID.class)
        });
        Param<String[]> names = val(new String[] {id});
        String plan = String.join(
                "\n",
                dsl.fetch("explain (analyze) " + new ErasureSql(schema).events(kind), digests, names)
                        .getValues(0, String.class));

        assertThat(ROWS.matcher(plan)
                        .results()
                        .mapToLong(found -> Long.parseLong(found.group(1)))
                        .sum())
                .as(plan)
                .isLessThan(MANY / 100);
        long expected = kind == ErasureRequest.Kind.MESSAGE ? 1 : 2;
        assertThat(Erasure.in(database.dataSource(), schema).erase(request, ADA).removed())
                .containsEntry(ErasureReport.Place.EVENTS, expected);
    }

    @Test
    void a_repeated_order_finds_events_by_its_digest_alone() {
        Erasure erasure = Erasure.in(database.dataSource(), schema);
        erasure.erase(ErasureRequest.message("m8"), ADA);
        dsl.execute("alter table " + schema.table("message_event") + " disable trigger all");
        dsl.execute("insert into " + schema.table("message_event") + " (side, scope, event, message_id)"
                + " values ('inbox', 'ledger', 'failed', 'm8')");

        assertThat(erasure.repeat(ADA).removed()).containsEntry(ErasureReport.Place.EVENTS, 1L);
    }
}
