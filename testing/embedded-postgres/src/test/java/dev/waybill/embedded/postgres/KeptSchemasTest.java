package dev.waybill.embedded.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test must not see that another one had its schema before. */
@ExtendWith(PostgresExtension.class)
class KeptSchemasTest {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private PostgresServer server;
    private HikariDataSource pool;
    private KeptSchemas kept;

    @BeforeEach
    void keep_nothing(TestDatabase given) {
        server = given.server();
        pool = server.newPool(4);
        kept = new KeptSchemas(pool);
    }

    @AfterEach
    void drop() throws SQLException {
        kept.dropAll();
        pool.close();
    }

    @Test
    void rows_and_numbers_of_an_earlier_test_are_gone_and_what_the_statements_wrote_is_there() throws Exception {
        String used = usedBy("insert into %1$s.item (text) values ('mine')", "update %1$s.item set text = 'spoilt'");

        TestDatabase next = afterOthers();

        assertThat(next.schemaWith(KeptSchemasTest::tables)).isEqualTo(used);
        next.execute("insert into " + used + ".item (text) values ('next')");
        assertThat(rows(used)).containsExactly("1 seed", "2 next");
    }

    @Test
    void many_rows_of_an_earlier_test_leave_no_pages_behind() throws Exception {
        String used = usedBy("insert into %1$s.item (text) select repeat('x', 1000) from generate_series(1, 1000)");

        assertThat(afterOthers().schemaWith(KeptSchemasTest::tables)).isEqualTo(used);

        assertThat(rows(used)).containsExactly("1 seed");
        assertThat(query("select pg_table_size('" + used + ".item')::text")).containsExactly("16384");
    }

    @Test
    @Tag("long")
    void tables_that_an_earlier_test_changed_are_not_used_again() throws Exception {
        for (String change : List.of(
                "alter table %1$s.item add column more int",
                "drop trigger touched on %1$s.item",
                "create table %1$s.more (id int)",
                "create or replace function %1$s.touch() returns trigger language plpgsql as 'begin return null; end'",
                "grant select on %1$s.item to pg_monitor",
                "alter sequence %1$s.item_id_seq increment 2")) {
            String changed = usedBy(change);

            assertThat(afterOthers().schemaWith(KeptSchemasTest::tables))
                    .as(change)
                    .isNotEqualTo(changed);
            kept.dropAll();
        }
    }

    @Test
    void tables_in_which_an_earlier_test_is_still_at_work_are_not_used_again() throws Exception {
        String used = usedBy("select 1");
        try (var late = pool.getConnection();
                var statement = late.createStatement()) {
            late.setAutoCommit(false);
            statement.execute("insert into " + used + ".item (text) values ('late')");
            TestDatabase next = afterOthers();
            var waiting = new Thread(() -> next.schemaWith(KeptSchemasTest::tables));
            waiting.start();
            while (query("select 'waits' from pg_stat_activity where query like 'drop schema if exists " + used
                            + "%' and wait_event_type = 'Lock'")
                    .isEmpty()) {
                Thread.onSpinWait();
            }
            late.rollback();
            waiting.join();
            assertThat(next.schema()).isNotEqualTo(used);
        }
    }

    private static String tables(String schema) {
        return """
                create schema %1$s;
                create table %1$s.item (id bigint generated always as identity, text text);
                create function %1$s.touch() returns trigger language plpgsql as 'begin return new; end';
                create trigger touched before insert on %1$s.item for each row execute function %1$s.touch();
                insert into %1$s.item (text) values ('seed')""".formatted(schema);
    }

    private TestDatabase test() {
        return new TestDatabase(server, pool, kept, () -> "kept_" + NAMES.incrementAndGet());
    }

    /** The schema of a test that is over. */
    private String usedBy(String... statements) throws Exception {
        TestDatabase test = test();
        String schema = test.schemaWith(KeptSchemasTest::tables);
        for (String statement : statements) {
            test.execute(statement.formatted(schema));
        }
        test.end();
        return schema;
    }

    /** A test that begins when enough other schemas are kept for the first to be used again. */
    private TestDatabase afterOthers() throws Exception {
        var others = new ArrayList<TestDatabase>();
        for (int i = 0; i < KeptSchemas.REST; i++) {
            TestDatabase other = test();
            other.schemaWith(KeptSchemasTest::tables);
            others.add(other);
        }
        for (TestDatabase other : others) {
            other.end();
        }
        return test();
    }

    private List<String> rows(String schema) throws SQLException {
        return query("select id || ' ' || text from " + schema + ".item order by id");
    }

    private List<String> query(String sql) throws SQLException {
        var rows = new ArrayList<String>();
        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return rows;
    }
}
