package dev.waybill.relay.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.relay.lease.NewTables;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two services with a relay each in one schema: the bodies of one expire by its own retention. */
@ExtendWith(PostgresExtension.class)
class BodiesOfOthersTest {
    @Test
    void a_relay_with_a_shorter_retention_leaves_the_bodies_of_destinations_that_it_does_not_serve(
            TestDatabase database) {
        var tables = new NewTables(database, Feature.CLAIMS);
        tables.execute("insert into $.outbox_claim (claim, destination, message_id, bytes, state, state_since, digest)"
                + " select gen_random_uuid(), d, d || s, 1, s, clock_timestamp() - interval '2 days', gen_random_uuid()"
                + " from unnest(array['orders', 'bills']) d, unnest(array['published', 'removing']) s");
        tables.execute("insert into $.outbox_claim_body select claim, '\\x00' from $.outbox_claim");
        var table = new ClaimTable(tables.dsl, tables.schema, List.of("bills"));

        new ClaimCleanup(
                        tables.dsl,
                        table,
                        ClaimStore.inPostgres(tables.schema),
                        Duration.ofDays(1),
                        10,
                        System::nanoTime)
                .step();

        assertThat(tables.fetch("select message_id from $.outbox_claim order by 1")
                        .getValues(0, String.class))
                .containsExactly("orderspublished", "ordersremoving");
        assertThat(tables.fetch("select count(*) from $.outbox_claim_body").getValue(0, 0))
                .isEqualTo(2L);
    }
}
