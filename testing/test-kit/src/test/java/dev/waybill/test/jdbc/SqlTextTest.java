package dev.waybill.test.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.test.jdbc.SqlText.Effect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements of which must be known, without a database, whether they write. */
class SqlTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "/* hint */ select 1",
                "/* a /* nested */ comment; insert into t */ select 1",
                "-- from the report; delete from t\nselect 1",
                "(select 1) union (select 2)",
                "((select 1))",
                "with x as (select 1) select * from x",
                "with x as (select * from t for update) select * from x",
                "select * from t for update",
                "select * from t for no key update of t skip locked",
                "select ' insert into t ', e'it\\'s; delete from t', $$ ; update t set a = 1 $$ from \"delete from\"",
                "select $q$ $$ ; insert into t $q$, inserted, update_count, (update), t.delete from t",
                "select 'it''s' as into, 1",
                "values (1), (2)",
                "table t",
                "explain (analyze, buffers) select 1",
                "select 1; select 2;"
            })
    void a_query_reads(String sql) {
        assertThat(SqlText.of(sql).effect()).isEqualTo(Effect.READS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into t values (1)",
                "-- x\r\nupdate t set a = 1",
                "/* select */ delete from t",
                "merge into t using s on t.a = s.a when matched then delete",
                "with x as (insert into t values (1) returning a) select * from x",
                "with x as materialized (update t set a = 1 returning a) table x",
                "with x as (delete from only t returning a) select * from x",
                "with x as (select 1) insert into t select * from x",
                "with x as (select 1) update t set a = 1",
                "with x as (select 1) delete from t",
                "select * into copy from t",
                "select NextVal('s')",
                "select setval('s', 1)",
                "select pg_catalog.pg_notify('c', 'x')",
                "explain analyze insert into t values (1)",
                "explain (verbose, analyze) with x as (delete from t returning a) select * from x",
                "create table t (a int)",
                "call booking(1)",
                "{call booking(?)}",
                "do $$ begin perform 1; end $$",
                "begin; insert into t values (1); commit",
                "select 1; delete from t"
            })
    void what_writes_is_known(String sql) {
        assertThat(SqlText.of(sql).effect()).isEqualTo(Effect.WRITES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set search_path = a",
                "show all",
                "explain insert into t values (1)",
                "begin",
                "savepoint s",
                "/* ping */",
                ""
            })
    void what_is_about_sessions_and_transactions_does_neither(String sql) {
        assertThat(SqlText.of(sql).effect()).isEqualTo(Effect.NONE);
    }

    @Test
    void a_statement_in_one_line_is_the_same_statement() {
        assertThat(SqlText.of(" select  1 -- one\n  , 'a  b',\t/* two\n lines */ \"c  d\" ")
                        .line())
                .isEqualTo("select 1 /* one */ , 'a  b', /* two lines */ \"c  d\"");
        assertThat(SqlText.of("select 1 -- not */ the end\n, 2").line())
                .isEqualTo("select 1 /* not * / the end */ , 2");
        assertThat(SqlText.of("select 'open").line()).isEqualTo("select 'open");
    }

    @Test
    void the_end_of_a_transaction_is_seen_in_whatever_way_it_is_written() {
        assertThat(SqlText.of("COMMIT;").commits()).isTrue();
        assertThat(SqlText.of("/* done */ rollback").rollsBack()).isTrue();
        assertThat(SqlText.of("/* done */ rollback").commits()).isFalse();
        assertThat(SqlText.of("rollback to savepoint s").rollsBack()).isFalse();
        assertThat(SqlText.of("insert into t values ('commit')").commits()).isFalse();
    }
}
