package dev.waybill.outbox;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class AppendsAtCommitTest {
    private SchemaName schema;
    private DSLContext other;
    private DSLContext dsl;
    private Outbox outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        outbox = Outbox.builder().schema(schema).build();
        other = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        dsl = DSL.using(other.configuration()
                .derive(outbox.appendingAtCommit(other.configuration().connectionProvider())));
        other.execute(
                "create table " + schema.table("business") + " (id int primary key deferrable initially deferred)");
    }

    @Test
    void rows_and_business_commit_together_and_in_order() {
        dsl.transaction(tx -> {
            outbox.append(tx.dsl(), message("m1", "s1"));
            business(tx.dsl(), 1);
            outbox.append(tx.dsl(), List.of(message("m2", "s2"), message("m3", "s1")));
            assertThat(lockedSessions()).isZero();
        });

        assertThat(ids()).containsExactly("m1", "m2", "m3");
        assertThat(businessRows()).isOne();
    }

    @Test
    void one_message_without_a_session_and_nothing_else() {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(), OutboxMessage.to("orders").id("m1").text("").build()));

        assertThat(ids()).containsExactly("m1");
    }

    @Test
    void more_messages_than_a_statement_takes() {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                IntStream.range(0, 2_500).mapToObj(i -> message("m" + i, "s")).toList()));

        assertThat(ids()).hasSize(2_500);
    }

    @Test
    void a_transaction_that_rolls_back_leaves_nothing() {
        assertThatThrownBy(() -> dsl.transaction(tx -> {
                    outbox.append(tx.dsl(), message("m1", "s"));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(ids()).isEmpty();
    }

    @Test
    void a_nested_transaction_that_rolls_back_takes_only_its_own_appends_with_it() {
        dsl.transaction(tx -> {
            outbox.append(tx.dsl(), message("m1", "s"));
            assertThatThrownBy(() -> tx.dsl().transaction(nested -> {
                        outbox.append(nested.dsl(), message("never", "s"));
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            tx.dsl().transaction(nested -> outbox.append(nested.dsl(), message("m2", "s")));
            assertThat(ids()).as("nothing before the outermost commit").isEmpty();
        });

        assertThat(ids()).containsExactly("m1", "m2");
    }

    @Test
    void an_outer_transaction_that_rolls_back_takes_the_nested_appends_with_it() {
        assertThatThrownBy(() -> dsl.transaction(tx -> {
                    tx.dsl().transaction(nested -> outbox.append(nested.dsl(), message("m1", "s")));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(ids()).isEmpty();
    }

    @Test
    void a_commit_that_the_database_refuses_leaves_neither_and_the_connection_usable() {
        business(other, 1);

        assertThatThrownBy(() -> dsl.transaction(tx -> {
                    business(tx.dsl(), 1);
                    outbox.append(tx.dsl(), message("m1", "s"));
                }))
                .isInstanceOf(DataAccessException.class)
                .hasStackTraceContaining("duplicate key");

        assertThat(ids()).isEmpty();
        dsl.transaction(tx -> outbox.append(tx.dsl(), message("m2", "s")));
        assertThat(ids()).containsExactly("m2");
    }

    @Test
    void a_failed_transaction_whose_error_was_swallowed_commits_nothing() {
        assertThatThrownBy(() -> dsl.transaction(tx -> {
                    business(tx.dsl(), 1);
                    assertThatThrownBy(() -> tx.dsl().execute("select 1 / 0")).isInstanceOf(DataAccessException.class);
                    outbox.append(tx.dsl(), message("m1", "s"));
                }))
                .hasStackTraceContaining("current transaction is aborted");

        assertThat(ids()).isEmpty();
        assertThat(businessRows()).isZero();
    }

    @Test
    @Tag("long")
    void an_append_outside_a_transaction_is_refused() {
        assertThatThrownBy(() -> outbox.append(dsl, message("m1", "s"))).isInstanceOf(NoTransactionException.class);
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
