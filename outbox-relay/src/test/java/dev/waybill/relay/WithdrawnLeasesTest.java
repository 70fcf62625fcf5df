package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import org.flywaydb.core.Flyway;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The upgrade while relays of the version before are running. */
@ExtendWith(PostgresExtension.class)
class WithdrawnLeasesTest {
    @Test
    void a_lease_that_an_old_relay_takes_while_it_is_withdrawn_keeps_new_relays_waiting(TestDatabase database)
            throws Exception {
        var schema = new SchemaName(database.schema());
        var dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        beforeTheUpgrade(database, schema);
        dsl.execute("insert into " + schema.table("outbox_destination") + " (destination) values ('orders')");
        try (Connection oldRelay = database.dataSource().getConnection()) {
            oldRelay.setAutoCommit(false);
            DSL.using(oldRelay)
                    .execute("update " + schema.table("outbox_lease")
                            + " set owner = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 hour'");
            var upgrade = CompletableFuture.runAsync(
                    () -> Migrations.of(database.dataSource(), schema).apply());
            await().until(() -> dsl.fetchExists(
                    DSL.table("pg_locks"),
                    DSL.condition(
                            "not granted and relation = {0}::regclass", DSL.inline(schema.table("outbox_lease")))));
            oldRelay.commit();
            upgrade.join();
        }

        assertThat(dsl.fetchCount(
                        DSL.table(schema.table("outbox_lane")),
                        DSL.condition("available_at > clock_timestamp() + interval '1 minute'")))
                .isEqualTo(32);
    }

    private static void beforeTheUpgrade(TestDatabase database, SchemaName schema) {
        Flyway.configure()
                .dataSource(database.dataSource())
                .schemas(schema.value())
                .defaultSchema(schema.value())
                .table("waybill_migration")
                .locations("classpath:dev/waybill/migrations/sql")
                .target("8")
                .load()
                .migrate();
    }
}
