package dev.waybill.standalone.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.database.ConsumerView.Held;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Consumers, as the status and the figures tell of them. */
@ExtendWith(PostgresExtension.class)
class ConsumersTest {
    private TestDatabase database;
    private SchemaName schema;

    @BeforeEach
    void create_the_tables(TestDatabase empty) throws Exception {
        database = empty;
        schema = new SchemaName(database.schema());
        database.createTables(Migrations.sql(schema, Feature.all()));
    }

    @Test
    void status_and_figures_tell_the_same_of_a_consumer() throws Exception {
        database.execute("""
                insert into %1$s.inbox_consumer (name, alive_until) values ('ledger', clock_timestamp());
                insert into %1$s.inbox_instance (longest_attempt, id, consumer, alive_until)
                select 60000, gen_random_uuid(), 'ledger', clock_timestamp() + n * interval '1 minute' from generate_series(-1, 2) n;
                with h as (
                  insert into %1$s.inbox_hold (consumer, session_id, state, reason) values ('ledger', 's', 'parked', 'r'),
                    ('ledger', 't', 'retrying', 'r') returning id)
                insert into %1$s.inbox_held_message (hold_id, origin_position, origin_time, message_id, payload)
                select id, n, now(), 'm' || n, '' from h, generate_series(1, 3) n;
                insert into %1$s.inbox_deferral (key, consumer, message_id, defer_key, sequence_number, enqueued_at, deferred_at)
                select gen_random_uuid(), 'ledger', 'd' || n, 'k', n, now(), now() - n * interval '20 hours'
                from generate_series(1, 4) n
                """.formatted(schema));

        var told = new PartReader(database.dataSource(), schema).consumers();

        assertThat(told).isEqualTo(overview().consumers());
        assertThat(told).singleElement().satisfies(ledger -> {
            assertThat(ledger.instances()).isEqualTo(2);
            assertThat(ledger.held()).isEqualTo(new Held(2, 1, 6, 4, 3));
        });
    }

    @Test
    void a_consumer_that_left_weeks_ago_is_in_the_status_and_raises_no_figure() throws Exception {
        database.execute("insert into %s.inbox_consumer (name, alive_until) values ('old', now() - interval '8 days')"
                .formatted(schema));

        assertThat(new PartReader(database.dataSource(), schema).consumers()).isEmpty();
        assertThat(overview().consumers()).extracting(ConsumerView::name).containsExactly("old");
    }

    private Overview overview() {
        return new OverviewReader("main", database.dataSource(), schema).read();
    }
}
