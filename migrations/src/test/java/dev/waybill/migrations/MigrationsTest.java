package dev.waybill.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Locale;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

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

        assertThat(migrations.apply(Feature.all())).isPositive();
        assertThat(migrations.apply(Feature.all())).isZero();
        migrations.validate(Feature.all());
    }

    @Test
    void a_database_that_cannot_store_every_text_gets_no_tables() throws Exception {
        for (String encoding : List.of("LATIN1", "SQL_ASCII")) {
            String name = schema + "_" + encoding.toLowerCase(Locale.ROOT);
            database.execute("create database " + name + " encoding '" + encoding
                    + "' template template0 lc_collate 'C' lc_ctype 'C'");
            var other = new PGSimpleDataSource();
            other.setUrl(database.server().jdbcUrl().replaceFirst("(//[^/]*/)[^?]*", "$1" + name));
            var migrations = Migrations.of(other, schema);

            assertThatThrownBy(() -> migrations.apply(Feature.OUTBOX))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("encoding is " + encoding)
                    .hasMessageContaining("encoding 'UTF8'");
            assertThat(migrations.installed()).isEmpty();
            assertThat(DSL.using(other, SQLDialect.POSTGRES)
                            .fetchValue("select to_regnamespace({0})", DSL.val(schema.value())))
                    .isNull();
            database.execute("drop database " + name);
        }
    }

    @Test
    void an_empty_database_does_not_validate() {
        assertThatThrownBy(() -> Migrations.of(database.dataSource(), schema).validate(Feature.OUTBOX))
                .isInstanceOf(FlywayException.class);
    }

    @Test
    void the_printed_script_builds_the_same_columns() {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        String other = schema.value() + "_app";
        String printed =
                Migrations.of(database.dataSource(), new SchemaName(other)).sql(Feature.all());
        dsl.connection(connection -> {
            try (var statement = connection.createStatement()) {
                statement.execute(printed);
                statement.execute("set search_path to default");
            }
        });

        assertThat(columns(other)).isNotBlank().isEqualTo(columns(schema.value()));
    }

    // Partitions are as their table, sequences of identities as their column; the histories are Flyway's.
    @Test
    void each_relation_and_column_says_what_it_is() {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());

        var silent = dsl.fetch("""
                        select concat_ws('.', c.relname, a.attname)
                        from pg_class c
                        left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and c.relkind <> 'S'
                        where c.relnamespace = {0}::regnamespace and c.relkind in ('r', 'p', 'v', 'S') and not c.relispartition
                          and c.relname not like 'waybill_migration%'
                          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i' and c.relkind = 'S')
                          and (obj_description(c.oid, 'pg_class') is null
                            or a.attnum is not null and col_description(c.oid, a.attnum) is null)
                        order by 1""", DSL.val(schema.value())).into(String.class);

        assertThat(silent).isEmpty();
    }

    @Test
    void features_are_applied_in_every_order() throws Exception {
        List<Feature> three = List.of(Feature.DEAD_LETTERS, Feature.INBOX_DEFERRAL, Feature.EVENTS);
        for (int first = 0; first < 3; first++) {
            for (int second = 0; second < 3; second++) {
                if (first == second) {
                    continue;
                }
                var own = new SchemaName(schema + "_" + first + second);
                var migrations = Migrations.of(database.dataSource(), own);
                migrations.apply(three.get(first));
                database.execute("insert into " + own + ".erasure_order (digest, kind, applies_until, operator, reason)"
                        + " values (" + own + ".erasure_digest('message', 'm'), 'message', 'infinity', 'o', 'r')");
                migrations.apply(three.get(second));
                migrations.apply(three.get(3 - first - second));
                migrations.validate(three.toArray(Feature[]::new));

                assertThat(migrations.installed()).containsAll(three);
                assertThat(columns(own.value())).contains("dead_letter_message", "inbox_deferral", "message_event");
                database.execute("drop schema " + own + " cascade");
            }
        }
    }

    @Test
    void a_feature_brings_what_it_needs_and_nothing_else() {
        var migrations = Migrations.of(database.dataSource(), schema);

        migrations.apply(Feature.INBOX);

        assertThat(migrations.installed()).containsExactlyInAnyOrder(Feature.BASE, Feature.INBOX);
        migrations.apply();
        assertThat(migrations.installed()).containsExactlyInAnyOrder(Feature.BASE, Feature.OUTBOX, Feature.INBOX);
    }

    @Test
    void a_table_that_is_missing_names_its_feature() {
        Migrations.of(database.dataSource(), schema).apply();
        for (Feature feature : Feature.values()) {
            if (!List.of(Feature.BASE, Feature.OUTBOX, Feature.INBOX).contains(feature)) {
                assertThatThrownBy(() -> FeatureMissing.require(dsl, schema, feature.table()))
                        .hasMessageContaining("'waybill-relay migrate up " + feature + "'");
            }
        }
    }

    @Test
    void a_feature_that_is_not_installed_reads_as_empty_and_cannot_be_written() {
        var migrations = Migrations.of(database.dataSource(), schema);
        migrations.apply();
        DSLContext reader = OptionalTables.of(dsl, schema);
        String letters = "with known as (select 1 as one) select count(l.id) from known left join "
                + schema.table("dead_letter") + " l on l.state = 'open'";

        assertThat(reader.fetchSingle(letters).get(0, Long.class)).isZero();
        assertThatThrownBy(() -> reader.execute("delete from " + schema.table("dead_letter_message")))
                .isInstanceOf(FeatureMissing.class);

        migrations.apply(Feature.DEAD_LETTERS);
        assertThat(reader.execute("delete from " + schema.table("dead_letter_message")))
                .isZero();
    }

    @Test
    void every_table_has_a_primary_key_and_every_relation_and_column_a_comment() {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        String relations = "from pg_class c where c.relnamespace = {0}::regnamespace and c.relkind in ('r', 'p', 'v')"
                + " and c.relname not like 'waybill_migration%' and c.relname !~ '^(outbox|relay)(?!_claim|_sample)'"
                + " and not c.relispartition";

        assertThat(dsl.fetch(
                                "select c.relname " + relations + " and c.relkind = 'r' and not exists ("
                                        + "select from pg_index i where i.indrelid = c.oid and i.indisprimary)",
                                DSL.val(schema.value()))
                        .getValues(0))
                .isEmpty();
        assertThat(dsl.fetch(
                                "select c.relname " + relations + " and obj_description(c.oid, 'pg_class') is null",
                                DSL.val(schema.value()))
                        .getValues(0))
                .isEmpty();
        assertThat(dsl.fetch(
                                "select c.relname || '.' || a.attname from (select c.oid, c.relname " + relations
                                        + ") c"
                                        + " join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped"
                                        + " where col_description(c.oid, a.attnum) is null order by 1",
                                DSL.val(schema.value()))
                        .getValues(0))
                .isEmpty();
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
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        appFlyway.validate();
        assertThat(appFlyway.migrate().migrationsExecuted).isZero();
        Migrations.of(database.dataSource(), schema).validate(Feature.all());
    }

    @Test
    void every_roles_grants_can_be_given() throws Exception {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        for (Role role : Role.values()) {
            String name = schema + "_" + role.name().toLowerCase(Locale.ROOT);
            database.execute("create role " + name);
            try {
                database.execute(role.grants(schema, name, Feature.all()));
            } finally {
                database.execute("drop owned by " + name);
                database.execute("drop role " + name);
            }
        }
    }

    @Test
    void the_applications_role_appends_by_plain_sql_and_can_do_nothing_else() throws Exception {
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
        String app = schema + "_writer";
        database.execute("create role " + app);
        database.execute(Role.APP.grants(schema, app, Feature.all()));
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
        Migrations.of(database.dataSource(), schema).apply(Feature.all());
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
        Migrations.of(database.dataSource(), schema).apply(Feature.all());

        assertThatThrownBy(() -> database.execute("select " + schema.table("outbox_append") + "('q', 's', '', '')"))
                .hasMessageContaining("message_id is empty");
        assertThatThrownBy(() -> database.execute(
                        "select " + schema.table("outbox_append") + "('q', repeat('s', 129), 'm', '')"))
                .hasMessageContaining("session_id has more than 128 characters");
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
                        where table_schema = {0} and table_name not like 'waybill_migration%'
                        order by table_name, ordinal_position
                        """, DSL.inline(schemaName)).formatCSV();
    }
}
