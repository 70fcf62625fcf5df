package dev.waybill.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class MigrationsTest {
    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;

    @BeforeEach
    void choose_a_fresh_schema(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schema());
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    }

    @Test
    void applying_twice_changes_nothing_the_second_time() {
        var migrations = Migrations.of(database.dataSource(), schema);

        assertThat(migrations.apply()).isPositive();
        assertThat(migrations.apply()).isZero();
        migrations.validate();
    }

    @Test
    void an_empty_database_does_not_validate() {
        assertThatThrownBy(() -> Migrations.of(database.dataSource(), schema).validate())
                .isInstanceOf(FlywayException.class);
    }

    @Test
    void the_printed_script_builds_the_same_columns() {
        Migrations.of(database.dataSource(), schema).apply();
        String other = schema.value() + "_app";
        String printed =
                Migrations.of(database.dataSource(), new SchemaName(other)).sql();
        dsl.connection(connection -> {
            try (var statement = connection.createStatement()) {
                statement.execute(printed);
                statement.execute("set search_path to default");
            }
        });

        assertThat(columns(other)).isNotBlank().isEqualTo(columns(schema.value()));
    }

    @Test
    void the_applications_own_flyway_works_in_the_same_database_in_either_order() {
        String app = schema.value() + "_app";
        var appFlyway = Flyway.configure()
                .dataSource(database.dataSource())
                .schemas(app)
                .locations("classpath:dev/waybill/migrations/app")
                .load();

        appFlyway.migrate();
        Migrations.of(database.dataSource(), schema).apply();
        appFlyway.validate();
        assertThat(appFlyway.migrate().migrationsExecuted).isZero();
        Migrations.of(database.dataSource(), schema).validate();
    }

    @Test
    void a_schema_name_that_would_need_quoting_is_refused() {
        for (String name : new String[] {"", "1a", "Way", "a b", "a\"b", "a;drop", "a".repeat(64)}) {
            assertThatThrownBy(() -> new SchemaName(name)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private String columns(String schemaName) {
        return dsl.fetch("""
                        select table_name, column_name, data_type, is_nullable,
                               replace(coalesce(column_default, ''), {0} || '.', '') as column_default
                        from information_schema.columns
                        where table_schema = {0} and table_name <> 'waybill_migration'
                        order by table_name, ordinal_position
                        """, DSL.inline(schemaName)).formatCSV();
    }
}
