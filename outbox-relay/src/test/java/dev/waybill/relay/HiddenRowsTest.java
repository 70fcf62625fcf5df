package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Role;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row level security, as a script that hardens a database switches it on for all tables. Writers do not notice. */
@ExtendWith(PostgresExtension.class)
class HiddenRowsTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private TestDatabase database;
    private OutboxFixture outbox;
    private TemporaryRole role;

    @BeforeEach
    void create_a_role_that_does_not_own_the_tables(TestDatabase database) throws Exception {
        this.database = database;
        outbox = new OutboxFixture(database);
        role = new TemporaryRole(database, outbox.schema, Role.RELAY);
    }

    @AfterEach
    void drop_the_role() throws Exception {
        role.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"outbox_message_3", "outbox_scheduled", "outbox_pause", "outbox_hold"})
    void a_relay_from_which_rows_may_be_hidden_does_not_start_and_names_the_table(String table) {
        security(table, "enable");
        try (var relay = relay(role.pool())) {
            assertThatThrownBy(relay::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(table)
                    .hasMessageContaining("bypassrls");
        }
        assertThat(outbox.rowsIn("relay_instance")).isZero();
    }

    @Test
    void the_owner_of_the_tables_is_not_bound_and_starts() {
        security("outbox_message_0", "enable");
        try (var relay = relay(database.dataSource())) {
            relay.start();
            outbox.append("s", "m1");
            await().untilAsserted(() -> assertThat(broker.arrived()).containsExactly("m1"));
        }
    }

    @Test
    void messages_that_a_policy_hides_while_the_relay_runs_are_not_called_published() {
        try (var relay = relay(role.pool())) {
            relay.start();
            outbox.append("s", "m1");
            await().untilAsserted(() -> assertThat(broker.arrived()).containsExactly("m1"));
            messageTables().forEach(table -> security(table, "enable"));

            outbox.append("s", "m2");
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(databaseAlarms()).contains("row-level security"));
            assertThat(published()).isLessThanOrEqualTo(1);

            messageTables().forEach(table -> security(table, "disable"));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(broker.arrived()).containsExactly("m1", "m2"));
        }
    }

    private Relay relay(DataSource pool) {
        return Relay.builder(pool)
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .publisher(broker)
                .build();
    }

    private static List<String> messageTables() {
        return IntStream.range(0, RingLayout.SLOTS)
                .mapToObj(slot -> "outbox_message_" + slot)
                .toList();
    }

    private void security(String table, String enable) {
        outbox.execute("alter table $schema." + table + " " + enable + " row level security");
    }

    private String databaseAlarms() {
        return outbox.dsl
                .fetch("select detail from " + outbox.schema.table("relay_alarm") + " where alarm = 'database'")
                .getValues(0, String.class)
                .toString();
    }

    private int published() {
        return outbox.dsl.fetchCount(
                DSL.table(outbox.schema.table("outbox_message_status")), DSL.condition("status = 'published'"));
    }
}
