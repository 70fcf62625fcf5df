package dev.waybill.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.outbox.InvalidMessageException;
import dev.waybill.outbox.NoTransactionException;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** G1: a message is in the outbox if, and only if, the transaction that appended it committed. */
@Timeout(60)
class CommittedTogetherTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = Shop.waybill();

    @Test
    void a_commit_leaves_the_row_and_the_message(TestWaybill waybill, DataSource dataSource) {
        Shop.place(waybill, "o1", "anna");

        assertThat(Shop.placed(dataSource)).containsExactly("o1");
        waybill.appended().hasIds("o1");
    }

    @Test
    void an_exception_after_the_append_leaves_neither(TestWaybill waybill, DataSource dataSource) {
        assertThatThrownBy(() -> waybill.outbox().inTransaction(tx -> {
                    Shop.placeIn(tx, waybill, "o1", "anna");
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(Shop.placed(dataSource)).isEmpty();
        waybill.appended().isEmpty();
    }

    @Test
    void a_commit_that_the_database_refuses_leaves_neither(TestWaybill waybill, DataSource dataSource) {
        Shop.place(waybill, "o1", "anna");

        assertThatThrownBy(() -> Shop.place(waybill, "o1", "bert")).hasStackTraceContaining("duplicate key");

        assertThat(Shop.placed(dataSource)).containsExactly("o1");
        waybill.appended().hasIds("o1").inSession("anna");
    }

    @Test
    void a_savepoint_that_is_rolled_back_takes_its_message_with_it(TestWaybill waybill) {
        waybill.outbox().inTransaction(tx -> {
            Shop.placeIn(tx, waybill, "o1", "anna");
            assertThatThrownBy(() -> tx.transaction(nested -> {
                        Shop.placeIn(nested.dsl(), waybill, "o2", "anna");
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
        });

        waybill.appended().hasIds("o1");
    }

    @Test
    void a_writer_whose_connection_dies_before_its_commit_leaves_neither(TestWaybill waybill, DataSource dataSource) {
        assertThatThrownBy(() -> waybill.outbox().inJdbcTransaction(tx -> {
                    tx.createStatement().execute("insert into placed values ('o1')");
                    waybill.outbox().append(tx, Shop.order("o1", "anna"));
                    end(tx, dataSource);
                }))
                .isInstanceOf(DataAccessException.class);

        assertThat(Shop.placed(dataSource)).isEmpty();
        waybill.appended().isEmpty();
    }

    private static void end(Connection tx, DataSource dataSource) throws SQLException {
        try (var backend = tx.createStatement().executeQuery("select pg_backend_pid()")) {
            backend.next();
            DSL.using(dataSource, SQLDialect.POSTGRES)
                    .execute("select pg_terminate_backend({0})", DSL.val(backend.getInt(1)));
        }
    }

    @Test
    void sql_appends_in_its_transaction_too(TestWaybill waybill, DataSource dataSource) throws SQLException {
        String append = "select " + waybill.schema() + ".outbox_append('orders', 'anna', '%s', 'body')";
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            connection.createStatement().execute(append.formatted("o1"));
            connection.rollback();
            connection.createStatement().execute(append.formatted("o2"));
            connection.commit();
        }

        waybill.appended().hasIds("o2");
    }

    @Test
    void an_append_outside_a_transaction_is_refused(TestWaybill waybill, DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThatThrownBy(() -> waybill.outbox().append(connection, Shop.order("o1", "anna")))
                    .isInstanceOf(NoTransactionException.class);
        }

        waybill.appended().isEmpty();
    }

    @Test
    void a_message_that_service_bus_would_refuse_is_refused_before_the_commit(
            TestWaybill waybill, DataSource dataSource) {
        var large = OutboxMessage.to("orders")
                .id("o1")
                .session("anna")
                .body(new byte[300_000], "application/octet-stream")
                .build();

        assertThatThrownBy(() -> waybill.outbox().inTransaction(tx -> {
                    tx.execute("insert into placed values ('o1')");
                    waybill.outbox().append(tx, large);
                }))
                .isInstanceOf(InvalidMessageException.class);

        assertThat(Shop.placed(dataSource)).isEmpty();
    }
}
