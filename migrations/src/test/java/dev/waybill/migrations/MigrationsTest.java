package dev.waybill.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SchemaVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
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
    void the_script_from_a_version_on_brings_tables_of_that_version_to_this_one() {
        Migrations.of(database.dataSource(), schema).apply();
        String other = schema.value() + "_app";
        Flyway.configure()
                .dataSource(database.dataSource())
                .schemas(other)
                .table("waybill_migration")
                .locations("classpath:dev/waybill/migrations/sql")
                .target("12")
                .load()
                .migrate();

        dsl.connection(connection -> {
            try (var statement = connection.createStatement()) {
                statement.execute(Migrations.sql(new SchemaName(other), 12));
                statement.execute("set search_path to default");
            }
        });

        assertThat(columns(other)).isNotBlank().isEqualTo(columns(schema.value()));
    }

    @Test
    void the_printed_scripts_are_all_there_are_in_the_order_of_their_versions() throws Exception {
        try (var files = Files.list(Path.of("src/main/resources/dev/waybill/migrations/sql"))) {
            assertThat(MigrationScripts.NAMES)
                    .containsExactlyElementsOf(
                            files.map(file -> file.getFileName().toString())
                                    .sorted(Comparator.comparing(MigrationScripts::version))
                                    .toList());
        }
        assertThat(MigrationScripts.version(MigrationScripts.NAMES.get(MigrationScripts.NAMES.size() - 1)))
                .isEqualTo(SchemaVersion.CURRENT);
    }

    @Test
    void an_analysis_of_the_outbox_reads_no_bodies_and_a_small_sample() {
        Migrations.of(database.dataSource(), schema).apply();

        // -1 and null are the server's default, 100 unless somebody has set another.
        assertThat(dsl.fetch(
                                "select a.attrelid::regclass || '.' || a.attname, coalesce(a.attstattarget, -1)::int"
                                        + " from pg_partition_tree({0}::regclass) tree join pg_attribute a on a.attrelid = tree.relid"
                                        + " where a.attnum > 0 and not a.attisdropped",
                                DSL.val(schema.table("outbox_message")))
                        .intoMap(0, 1))
                .hasSizeGreaterThan(100)
                .allSatisfy((column, most) -> assertThat((Integer) most)
                        .isEqualTo(column.toString().endsWith(".payload") ? 0 : most)
                        .isBetween(0, 10));
        assertThat(dsl.fetch(
                                "select coalesce(a.attstattarget, -1)::int from pg_partition_tree({0}::regclass) tree"
                                        + " join pg_attribute a on a.attrelid = tree.relid where tree.isleaf and a.attnum = 2",
                                DSL.val(schema.table("outbox_message_cursor")))
                        .map(row -> row.get(0)))
                .hasSize(8)
                .containsOnly(10);
    }

    @Test
    void a_version_that_does_not_exist_is_refused() {
        assertThatThrownBy(() -> Migrations.sql(schema, SchemaVersion.CURRENT + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("to " + SchemaVersion.CURRENT);
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
    void the_newest_migration_is_the_version_that_the_code_knows() {
        var migrations = Migrations.of(database.dataSource(), schema);
        migrations.apply();

        SchemaVersion.require(dsl, schema);
        assertThat(dsl.fetchSingle("select max(version::integer) from " + schema.table("waybill_migration"))
                        .get(0, Integer.class))
                .isEqualTo(SchemaVersion.CURRENT);
    }

    @Test
    void missing_and_older_tables_are_refused_and_newer_ones_are_taken() {
        assertThatThrownBy(() -> SchemaVersion.require(dsl, schema)).hasMessageContaining("no Waybill tables");
        Migrations.of(database.dataSource(), schema).apply();
        String history = schema.table("waybill_migration");
        dsl.execute("delete from " + history + " where version = '" + SchemaVersion.CURRENT + "'");
        assertThatThrownBy(() -> SchemaVersion.require(dsl, schema)).hasMessageContaining("this code needs version");

        dsl.execute("update " + history + " set version = '99' where version = '1'");
        SchemaVersion.require(dsl, schema);
    }

    @Test
    void every_roles_grants_can_be_given() throws Exception {
        Migrations.of(database.dataSource(), schema).apply();
        for (Role role : Role.values()) {
            String name = schema + "_" + role.name().toLowerCase(Locale.ROOT);
            database.execute("create role " + name);
            try {
                database.execute(role.grants(schema, name));
            } finally {
                database.execute("drop owned by " + name);
                database.execute("drop role " + name);
            }
        }
    }

    @Test
    void the_applications_role_appends_by_plain_sql_and_can_do_nothing_else() throws Exception {
        Migrations.of(database.dataSource(), schema).apply();
        String app = schema + "_writer";
        database.execute("create role " + app);
        database.execute(Role.APP.grants(schema, app));
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("set role " + app);
            statement.execute("insert into " + schema.table("outbox_message")
                    + " (destination, session_id, message_id, payload) values ('q', 's', 'm', '')");
            statement.execute("select " + schema.table("outbox_append") + "('q', 's', 'm2', 'body')");
            assertThatThrownBy(() -> statement.execute("delete from " + schema.table("outbox_message")))
                    .hasMessageContaining("permission denied");
            assertThatThrownBy(() -> statement.execute("select * from " + schema.table("outbox_message")))
                    .hasMessageContaining("permission denied");
            statement.execute("reset role");
        } finally {
            database.execute("drop owned by " + app);
            database.execute("drop role " + app);
        }
    }

    @Test
    void an_append_by_plain_sql_waits_for_the_session() throws Exception {
        Migrations.of(database.dataSource(), schema).apply();
        try (var first = database.dataSource().getConnection();
                var second = database.dataSource().getConnection()) {
            first.setAutoCommit(false);
            first.createStatement().execute("select " + schema.table("outbox_append") + "('q', 's', 'm1', '')");
            second.setAutoCommit(false);
            second.createStatement().execute("set local lock_timeout = '50ms'");

            assertThatThrownBy(() -> second.createStatement()
                            .execute("select " + schema.table("outbox_append") + "('q', 's', 'm2', '')"))
                    .hasMessageContaining("lock timeout");
        }
    }

    @Test
    void an_append_by_plain_sql_that_names_no_message_is_refused() {
        Migrations.of(database.dataSource(), schema).apply();

        assertThatThrownBy(() -> database.execute("select " + schema.table("outbox_append") + "('q', 's', '', '')"))
                .hasMessageContaining("must not be empty");
        assertThatThrownBy(() -> database.execute(
                        "select " + schema.table("outbox_append") + "('q', repeat('s', 129), 'm', '')"))
                .hasMessageContaining("too long");
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
