package dev.waybill.outbox;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static dev.waybill.schema.jooq.Tables.OUTBOX_SCHEDULED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;

/** An append without a connection is in the transaction of its thread, or it is refused. */
@ExtendWith(PostgresExtension.class)
class AppendInThreadsTransactionTest {
    private final AtomicLong nanos = new AtomicLong();
    private SchemaName schema;
    private DSLContext observer;
    private ThreadBoundTransaction transactions;
    private Outbox outbox;
    private Connection listener;

    @BeforeEach
    void create_the_tables(TestDatabase database) throws SQLException {
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        observer = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        transactions = new ThreadBoundTransaction(database.dataSource());
        outbox = Outbox.builder()
                .schema(schema)
                .transactions(transactions)
                .nanos(nanos::get)
                .build();
        listener = database.dataSource().getConnection();
        listener.createStatement().execute("listen " + WakeChannel.of(schema));
    }

    @AfterEach
    void stop_listening() throws SQLException {
        listener.createStatement().execute("unlisten *");
        // The connection goes back to a pool, with what it has heard.
        listener.unwrap(PGConnection.class).getNotifications();
        listener.close();
    }

    @Test
    void the_message_shares_the_fate_of_the_threads_transaction() throws SQLException {
        transactions.inTransaction(() -> {
            outbox.append(message("m1"));
            outbox.append(List.of(message("m2"), message("m3")));
            assertThat(rows()).as("before the commit").isZero();
        });
        assertThat(rows()).isEqualTo(3);

        assertThatThrownBy(() -> transactions.inTransaction(() -> {
                    outbox.append(message("m4"));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(rows()).isEqualTo(3);
    }

    @Test
    void without_a_transaction_in_the_thread_nothing_is_appended_or_cancelled() {
        assertThatThrownBy(() -> outbox.append(message("m1"))).isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() -> outbox.append(List.of(message("m1"), message("m2"))))
                .isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() -> outbox.cancel("orders", "m1")).isInstanceOf(NoTransactionException.class);
        assertThat(rows()).isZero();
    }

    @Test
    void a_connection_in_auto_commit_is_refused_whatever_the_manager_says() throws SQLException {
        transactions.inTransaction(() -> {
            transactions.connection().setAutoCommit(true);
            assertThatThrownBy(() -> outbox.append(message("m1"))).isInstanceOf(NoTransactionException.class);
        });
        assertThat(rows()).isZero();
    }

    @Test
    void an_outbox_that_does_not_know_the_threads_transaction_says_what_to_do() {
        var plain = Outbox.builder().schema(schema).build();

        assertThatThrownBy(() -> plain.append(message("m1")))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Outbox.builder().transactions(");
        assertThatThrownBy(() -> plain.cancel("orders", "m1"))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Outbox.builder().transactions(");
    }

    @Test
    void a_scheduled_message_is_taken_back_in_the_threads_transaction() throws SQLException {
        transactions.inTransaction(() -> outbox.append(later("m1")));
        assertThatThrownBy(() -> transactions.inTransaction(() -> {
                    assertThat(outbox.cancel("orders", "m1")).isTrue();
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(scheduled()).isOne();

        transactions.inTransaction(
                () -> assertThat(outbox.cancel("orders", "m1")).isTrue());

        assertThat(scheduled()).isZero();
    }

    @Test
    void relays_are_told_once_and_only_of_a_commit() throws SQLException {
        assertThatThrownBy(() -> transactions.inTransaction(() -> {
                    outbox.append(message("m1"));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(wakes()).as("after a roll-back").isZero();

        transactions.inTransaction(() -> {
            outbox.append(message("m2"));
            nanos.addAndGet(WakeChannel.INTERVAL.toNanos());
            outbox.append(message("m3"));
            assertThat(wakes()).as("before the commit").isZero();
        });
        assertThat(transactions.ran()).isOne();
        assertThat(wakes()).isOne();
    }

    @Test
    void an_append_that_the_database_refuses_is_told_as_with_a_connection() throws SQLException {
        transactions.inTransaction(() -> {
            transactions.connection().createStatement().execute("set transaction read only");
            assertThatThrownBy(() -> outbox.append(message("m1")))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("read-only transaction");
        });
    }

    @Test
    void no_messages_need_no_transaction() {
        assertThatCode(() -> outbox.append(List.of())).doesNotThrowAnyException();
    }

    private int rows() {
        return schema.in(observer).fetchCount(OUTBOX_MESSAGE);
    }

    private int scheduled() {
        return schema.in(observer).fetchCount(OUTBOX_SCHEDULED);
    }

    private int wakes() throws SQLException {
        listener.createStatement().execute("select 1");
        return listener.unwrap(PGConnection.class).getNotifications().length;
    }

    private static OutboxMessage message(String id) {
        return OutboxMessage.to("orders").id(id).session("s").text(id).build();
    }

    private static OutboxMessage later(String id) {
        return OutboxMessage.to("orders")
                .id(id)
                .text(id)
                .notBefore(Instant.now().plus(Duration.ofDays(1)))
                .build();
    }
}
