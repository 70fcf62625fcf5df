package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A right that the relay's role lacks is told at the start with the statement that gives it, not by a message that fails. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class LackingGrantsTest {
    private static final String FLUSHED = "pg_catalog.pg_current_wal_flush_lsn()";
    private static final String INSERTED = "pg_catalog.pg_current_wal_insert_lsn()";

    private TestDatabase database;
    private SchemaName schema;
    private TemporaryRole role;
    private String name;

    @BeforeEach
    void create_the_role(TestDatabase database) throws SQLException {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        role = new TemporaryRole(database, schema, Role.RELAY);
        name = schema + "_relay";
    }

    @AfterEach
    void give_back() throws SQLException {
        database.execute("grant execute on function " + FLUSHED + ", " + INSERTED + " to public");
        role.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {FLUSHED, INSERTED})
    void a_server_function_that_was_withdrawn_is_told_at_the_start_and_the_printed_grants_give_it(String function)
            throws SQLException {
        database.execute("revoke execute on function " + function + " from public");

        assertThatThrownBy(this::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("grant execute on function " + function + " to " + name);
        assertThat(RelayGrants.missing(role.dsl(), schema)).hasToString("[execute on " + function + "]");

        database.execute(Role.RELAY.grants(schema, name, Feature.all()));
        start();
    }

    @ParameterizedTest
    @CsvSource({
        "delete on outbox_message, ''",
        "insert on outbox_held_message, ''",
        "update on outbox_seq, sequence",
        "select on relay, ''"
    })
    void a_grant_that_is_missing_is_told_at_the_start_with_its_statement(String grant, String kind)
            throws SQLException {
        String[] words = grant.split(" on ", 2);
        String statement = words[0] + " on " + (kind.isEmpty() ? "" : kind + " ") + schema.table(words[1]);
        database.execute("revoke " + statement + " from " + name);

        assertThatThrownBy(this::start)
                .hasMessageContaining("lacks " + grant)
                .hasMessageContaining("grant " + statement);

        database.execute("grant " + statement + " to " + name);
        start();
    }

    @Test
    void rows_that_row_level_security_hides_are_told_at_the_start() throws SQLException {
        database.execute("alter table " + schema.table("outbox_message") + " enable row level security");

        assertThatThrownBy(this::start)
                .hasMessageContaining("Row level security")
                .hasMessageContaining("outbox_message");
    }

    private void start() {
        try (Relay relay = Relay.builder((DataSource) role.pool())
                .schema(schema)
                .destination("orders")
                .publisher(new NoPublisher())
                .build()) {
            relay.start();
        }
    }

    private static final class NoPublisher implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return CompletableFuture.completedFuture(
                    PublishResult.accepted(shipment.rows().size()));
        }

        @Override
        public void close() {}
    }
}
