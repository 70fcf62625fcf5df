package dev.waybill.test.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.Verdict;
import dev.waybill.test.TestMessage;
import dev.waybill.test.WaybillExtension;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tables of every kind are, after each run and after the proof, exactly as they were before. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TablesTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = new WaybillExtension();

    @Test
    void tables_that_inherit(DataSource dataSource) throws Exception {
        proveUnchanged(
                dataSource,
                "entry",
                "insert into special values (3, 30, 'x')",
                "create table entry (id int, cents int)",
                "create table special (kind text) inherits (entry)",
                "insert into entry values (1, 10)",
                "insert into special values (2, 20, 'bonus')");
    }

    @Test
    void tables_with_partitions(DataSource dataSource) throws Exception {
        proveUnchanged(
                dataSource,
                "entry",
                "insert into entry values (3, 'b')",
                "create table entry (id int, region text) partition by list (region)",
                "create table entry_a partition of entry for values in ('a')",
                "create table entry_rest (region text, gone int, id int)",
                "alter table entry_rest drop column gone",
                "alter table entry attach partition entry_rest default",
                "insert into entry values (1, 'a'), (2, 'b')");
    }

    @Test
    void json_keeps_its_text(DataSource dataSource) throws Exception {
        proveUnchanged(
                dataSource,
                "doc",
                "insert into doc values (2, '{\"b\":  1}', '{}')",
                "create table doc (id int, raw json, parsed jsonb)",
                "insert into doc values (1, '{\"b\" : 1,  \"a\":[ ], \"b\":1.00}', '{\"b\": 1.00}')");
    }

    @Test
    void identities_and_generated_columns(DataSource dataSource) throws Exception {
        proveUnchanged(
                dataSource,
                "entry",
                "insert into entry (cents) values (7)",
                "create table entry (nr bigint generated always as identity, gone int, cents int,"
                        + " twice int generated always as (cents * 2) stored)",
                "alter table entry drop column gone",
                "insert into entry (cents) values (1), (2)",
                "delete from entry where cents = 1");
    }

    @Test
    void names_that_must_be_quoted_in_a_schema_that_is_not_searched(DataSource dataSource) throws Exception {
        proveUnchanged(
                dataSource,
                "\"App\".\"Big Table\"",
                "insert into \"App\".\"Big Table\" values (2, 'b', 'c')",
                "create schema \"App\"",
                "create table \"App\".\"Big Table\" (\"Id\" int, t text, \"or\"\"der\" text)",
                "insert into \"App\".\"Big Table\" values (1, 't', null)");
        assertThat(proof(dataSource, "insert into \"App\".\"Big Table\" values (random() * 1000000)")
                        .ignoring("App.Big Table.Id")
                        .run()
                        .faults())
                .isEmpty();
    }

    @Test
    void values_of_difficult_types(DataSource dataSource) throws Exception {
        proveUnchanged(
                dataSource,
                "v",
                "insert into v (c) values (0.1)",
                "create type pair as (a text, b int[])",
                "create type mood as enum ('well', 'not, so')",
                "create table v (a int[], b pair, c float8, d numeric, e timestamptz, f interval, g bytea, h int4range,"
                        + " i char(5), j xml, k mood[], l bit(3), m text, n tsvector, o date)",
                "insert into v values ('[5:6]={1,null}', row('x,\"y\\', '{1,2}'), 0.1::float8 + 0.2, 'NaN', 'infinity',"
                        + " '1 mon -1 day 00:00:00.000001', '\\x00ff', '[1,5)', 'ab', '<a> b</a>', '{\"not, so\"}', '101',"
                        + " E'quote '' \" \\\\ \\n {0} ? end', 'a:1 b', '0044-03-15 BC'),"
                        + " (null, null, '-0', 1.10, '1970-01-01 00:00:00.000001+02', null, '', 'empty', null, null, '{}',"
                        + " null, '', null, null)");
    }

    @Test
    void a_table_without_columns_that_can_be_written(DataSource dataSource) throws Exception {
        proveUnchanged(
                dataSource,
                "marker",
                "insert into marker default values",
                "create table marker ()",
                "insert into marker default values");
    }

    private static void proveUnchanged(DataSource dataSource, String table, String effect, String... statements)
            throws Exception {
        DSLContext dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        for (String statement : statements) {
            dsl.connection(connection -> {
                try (var plain = connection.createStatement()) {
                    plain.execute(statement);
                }
            });
        }
        List<String> before = rows(dsl, table);

        ProofReport report = proof(dataSource, effect).run();

        assertThat(report.faults()).as(report.toString()).isEmpty();
        assertThat(rows(dsl, table)).isEqualTo(before).isNotEmpty();
    }

    private static HandlerProof proof(DataSource dataSource, String effect) {
        return HandlerProof.of(dataSource, (tx, message) -> {
                    tx.execute(effect);
                    return Verdict.done();
                })
                .messages(
                        TestMessage.of("m1").session("a").build(),
                        TestMessage.of("m2").session("b").build());
    }

    private static List<String> rows(DSLContext dsl, String table) {
        return dsl.fetch("select tableoid::regclass::text || r::text from " + table + " as r order by 1")
                .getValues(0, String.class);
    }
}
