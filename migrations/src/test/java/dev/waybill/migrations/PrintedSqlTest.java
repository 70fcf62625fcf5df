package dev.waybill.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that others run: which rights they need, and whose names they carry. */
@ExtendWith(PostgresExtension.class)
class PrintedSqlTest {
    private TestDatabase database;
    private SchemaName schema;

    @BeforeEach
    void choose_a_fresh_schema(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schema());
    }

    @Test
    void the_owner_of_the_schema_needs_no_right_to_create_another_one() throws Exception {
        String owner = "owner_" + schema;
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create role " + owner);
            statement.execute("create schema " + schema + " authorization " + owner);
            try {
                statement.execute("set role " + owner);
                assertThatThrownBy(() -> statement.execute("create schema if not exists " + schema))
                        .as("the role may not create a schema")
                        .hasMessageContaining("permission denied for database");
                statement.execute(Migrations.sql(schema, Feature.all()));
                statement.execute("reset role; set search_path to default");
                assertThat(Migrations.of(database.dataSource(), schema).installed())
                        .containsExactlyInAnyOrder(Feature.all());
            } finally {
                statement.execute("reset role; set search_path to default");
                statement.execute("drop owned by " + owner + " cascade");
                statement.execute("drop role " + owner);
            }
        }
    }

    @Test
    void the_script_can_be_run_again_up_to_its_first_table() throws Exception {
        database.execute(Migrations.sql(schema, Feature.OUTBOX));
        assertThatThrownBy(() -> database.execute(Migrations.sql(schema, Feature.OUTBOX)))
                .hasMessageContaining("already exists")
                .hasMessageNotContaining("schema \"" + schema + "\" already");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "the app",
                "Relay",
                "a\"b",
                "x; drop table victim; --",
                "x\"; drop table victim; --",
                "user",
                "größe",
                "with'quote",
                "two\nlines"
            })
    void a_role_gets_its_grants_whatever_its_name_is_and_carries_no_statement(String suffix) throws Exception {
        Migrations.of(database.dataSource(), schema).apply(Feature.OUTBOX);
        String role = suffix.equals("user")
                ? suffix
                : suffix + " " + UUID.randomUUID().toString().substring(0, 8);
        String quoted = '"' + role.replace("\"", "\"\"") + '"';
        database.execute("create table " + schema.table("victim") + " (id int)");
        database.execute("create role " + quoted);
        try {
            database.execute("set search_path to " + schema + ";" + Role.READONLY.grants(schema, role, Feature.OUTBOX)
                    + "set search_path to default");

            assertThat(mayRead(role)).isTrue();
            database.execute("select from " + schema.table("victim"));
        } finally {
            database.execute("drop owned by " + quoted);
            database.execute("drop role " + quoted);
        }
    }

    @Test
    void a_name_that_postgresql_would_cut_grants_nothing_to_another_role() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Role.APP.grants(schema, "é".repeat(32), Feature.OUTBOX))
                .withMessageContaining("63 bytes");
        assertThatIllegalArgumentException().isThrownBy(() -> Role.APP.grants(schema, "", Feature.OUTBOX));
        assertThat(Role.READONLY.grants(schema, "public", Feature.OUTBOX).toLowerCase(Locale.ROOT))
                .as("public stands for all roles")
                .contains("to public;");
    }

    private boolean mayRead(String role) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                var statement = connection.prepareStatement("select has_table_privilege(?, ?, 'select')")) {
            statement.setString(1, role);
            statement.setString(2, schema.table("outbox_message"));
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }
}
