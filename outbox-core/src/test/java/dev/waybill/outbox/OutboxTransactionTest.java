package dev.waybill.outbox;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class OutboxTransactionTest {
    private SchemaName schema;
    private DSLContext other;
    private Outbox outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        other = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        outbox = Outbox.builder(other).schema(schema).build();
        other.execute(
                "create table " + schema.table("business") + " (id int primary key deferrable initially deferred)");
    }

    @Test
    void rows_and_business_commit_together_and_in_order() {
        outbox.inTransaction(tx -> {
            outbox.append(tx, message("m1", "s1"));
            business(tx, 1);
            outbox.append(tx, List.of(message("m2", "s2"), message("m3", "s1")));
            assertThat(lockedSessions()).isZero();
        });

        assertThat(ids()).containsExactly("m1", "m2", "m3");
        assertThat(businessRows()).isOne();
    }

    @Test
    void one_message_without_a_session_and_nothing_else() {
        outbox.inTransaction(tx ->
                outbox.append(tx, OutboxMessage.to("orders").id("m1").text("").build()));

        assertThat(ids()).containsExactly("m1");
    }

    @Test
    void more_messages_than_a_statement_takes() {
        outbox.inTransaction(tx -> outbox.append(
                tx,
                IntStream.range(0, 2_500).mapToObj(i -> message("m" + i, "s")).toList()));

        assertThat(ids()).hasSize(2_500);
    }

    @Test
    void a_transaction_that_rolls_back_leaves_nothing() {
        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    outbox.append(tx, message("m1", "s"));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(ids()).isEmpty();
    }

    @Test
    void a_nested_transaction_that_rolls_back_takes_only_its_own_appends_with_it() {
        outbox.inTransaction(tx -> {
            outbox.append(tx, message("m1", "s"));
            assertThatThrownBy(() -> tx.transaction(nested -> {
                        outbox.append(nested.dsl(), message("never", "s"));
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            tx.transaction(nested -> outbox.append(nested.dsl(), message("m2", "s")));
            assertThat(ids()).as("nothing before the outermost commit").isEmpty();
        });

        assertThat(ids()).containsExactly("m1", "m2");
    }

    @Test
    void an_outer_transaction_that_rolls_back_takes_the_nested_appends_with_it() {
        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    tx.transaction(nested -> outbox.append(nested.dsl(), message("m1", "s")));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(ids()).isEmpty();
    }

    @Test
    void a_commit_that_the_database_refuses_leaves_neither_and_the_connection_usable() {
        business(other, 1);

        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    business(tx, 1);
                    outbox.append(tx, message("m1", "s"));
                }))
                .isInstanceOf(DataAccessException.class)
                .hasStackTraceContaining("duplicate key");

        assertThat(ids()).isEmpty();
        outbox.inTransaction(tx -> outbox.append(tx, message("m2", "s")));
        assertThat(ids()).containsExactly("m2");
    }

    @Test
    void a_failed_transaction_whose_error_was_swallowed_commits_nothing() {
        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    business(tx, 1);
                    assertThatThrownBy(() -> tx.execute("select 1 / 0")).isInstanceOf(DataAccessException.class);
                    outbox.append(tx, message("m1", "s"));
                }))
                .hasMessageContaining("nothing is committed");

        assertThat(ids()).isEmpty();
        assertThat(businessRows()).isZero();
    }

    @Test
    @Tag("long")
    void an_append_outside_a_transaction_is_refused() {
        assertThatThrownBy(() -> outbox.append(other, message("m1", "s"))).isInstanceOf(NoTransactionException.class);
    }

    @Test
    void rows_of_a_plain_connection_commit_with_the_business_and_relays_are_notified(TestDatabase database)
            throws SQLException {
        var woken = new ArrayList<String>();
        var linked = Outbox.builder(database.dataSource())
                .schema(schema)
                .relay(woken::add)
                .build();

        String result = linked.inJdbcTransactionResult(tx -> {
            linked.append(tx, message("m1", "s"));
            assertThat(woken).as("before the commit").isEmpty();
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(ids()).containsExactly("m1");
        assertThat(woken).containsExactly("orders");
    }

    @Test
    void a_plain_transaction_that_throws_rolls_back_and_its_exception_comes_as_it_is(TestDatabase database) {
        var linked = Outbox.builder(database.dataSource()).schema(schema).build();
        var checked = new IOException("no");

        assertThatThrownBy(() -> linked.inJdbcTransaction(tx -> {
                    linked.append(tx, message("m1", "s"));
                    throw checked;
                }))
                .isSameAs(checked);
        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    outbox.append(tx, message("m1", "s"));
                    throw checked;
                }))
                .isSameAs(checked);

        assertThat(ids()).isEmpty();
    }

    @Test
    void the_work_cannot_end_the_transaction_that_the_outbox_began(TestDatabase database) {
        var linked = Outbox.builder(database.dataSource()).schema(schema).build();

        for (SqlWork end : List.<SqlWork>of(
                Connection::commit, Connection::rollback, Connection::close, tx -> tx.setAutoCommit(true))) {
            assertThatThrownBy(() -> linked.inJdbcTransaction(tx -> {
                        linked.append(tx, message("m1", "s"));
                        end.run(tx);
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("return to commit");
        }

        assertThat(ids()).isEmpty();
    }

    @Test
    void a_failed_statement_that_the_work_swallowed_is_no_silent_commit(TestDatabase database) {
        var plain = Outbox.builder(database.dataSource()).schema(schema).build();

        assertThatThrownBy(() -> plain.inJdbcTransaction(tx -> {
                    plain.append(tx, message("m1", "s"));
                    assertThatThrownBy(() -> tx.createStatement().execute("select 1 / 0"))
                            .isInstanceOf(SQLException.class);
                }))
                .isInstanceOf(DataAccessException.class);
        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    business(tx, 1);
                    assertThatThrownBy(() -> tx.execute("select 1 / 0")).isInstanceOf(DataAccessException.class);
                }))
                .isInstanceOf(DataAccessException.class);

        assertThat(ids()).isEmpty();
        assertThat(businessRows()).isZero();
    }

    @Test
    void an_error_of_the_work_rolls_back_and_comes_as_it_is() {
        var error = new AssertionError("no");

        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    outbox.append(tx, message("m1", "s"));
                    throw error;
                }))
                .isSameAs(error);
        outbox.inTransaction(tx -> outbox.append(tx, message("m2", "s")));

        assertThat(ids()).containsExactly("m2");
    }

    @Test
    void a_transaction_in_a_transaction_of_the_same_outbox_is_refused_and_does_not_wait_for_itself() {
        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    outbox.append(tx, message("m1", "s"));
                    outbox.inTransaction(other -> outbox.append(other, message("m2", "s")));
                }))
                .hasMessageContaining("pass its tx");
        outbox.inTransaction(tx -> outbox.append(tx, message("m3", "s")));

        assertThat(ids()).containsExactly("m3");
    }

    @Test
    void the_connection_of_somebody_elses_transaction_is_refused_and_not_committed(TestDatabase database)
            throws SQLException {
        try (Connection around = database.dataSource().getConnection()) {
            around.setAutoCommit(false);
            around.createStatement().execute("insert into " + schema.table("business") + " values (1)");
            var joined = Outbox.builder(DSL.using(around, SQLDialect.POSTGRES))
                    .schema(schema)
                    .build();

            assertThatThrownBy(() -> joined.inTransaction(tx -> joined.append(tx, message("m1", "s"))))
                    .hasMessageContaining("open transaction");
            around.rollback();
        }

        assertThat(businessRows()).isZero();
        assertThat(ids()).isEmpty();
    }

    @Test
    void transactions_of_another_manager_are_not_begun_by_the_outbox() {
        DSLContext managed = DSL.using(other.configuration().derive(new ForeignTransactions()));

        assertThatThrownBy(() -> Outbox.builder(managed).build()).hasMessageContaining("ForeignTransactions");
        assertThatThrownBy(() -> Outbox.create().inTransaction(tx -> {})).hasMessageContaining("Outbox.of(dataSource)");
    }

    /** As Spring has one. */
    private static final class ForeignTransactions implements TransactionProvider {
        @Override
        public void begin(TransactionContext context) {}

        @Override
        public void commit(TransactionContext context) {}

        @Override
        public void rollback(TransactionContext context) {}
    }

    /** What a caller does with its connection. */
    private interface SqlWork {
        void run(Connection tx) throws SQLException;
    }

    private void business(DSLContext tx, int id) {
        tx.execute("insert into " + schema.table("business") + " values (" + id + ")");
    }

    private int businessRows() {
        return other.fetchCount(DSL.table(schema.table("business")));
    }

    private int lockedSessions() {
        return other.fetchCount(DSL.table("pg_locks"), DSL.condition("locktype = 'advisory' and classid = 1463900482"));
    }

    private List<String> ids() {
        return schema.in(other)
                .select(OUTBOX_MESSAGE.MESSAGE_ID)
                .from(OUTBOX_MESSAGE)
                .orderBy(OUTBOX_MESSAGE.SEQ)
                .fetch(OUTBOX_MESSAGE.MESSAGE_ID);
    }

    private static OutboxMessage message(String id, String session) {
        return OutboxMessage.to("orders").id(id).session(session).text(id).build();
    }
}
