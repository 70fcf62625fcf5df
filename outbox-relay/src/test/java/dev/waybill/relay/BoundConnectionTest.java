package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A data source that gives out the connection of the thread's transaction, as transaction-aware ones do. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BoundConnectionTest {
    private static final AuditContext INSTRUCTION = new AuditContext("ops", "test");

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private Connection transaction;
    private DataSource bound;

    @BeforeEach
    void begin(TestDatabase database) throws SQLException {
        outbox = new OutboxFixture(database);
        outbox.execute("create table $schema.business (id text)");
        transaction = outbox.open();
        bound = proxy(
                DataSource.class,
                database.dataSource(),
                "getConnection",
                proxy(Connection.class, transaction, "close", null));
    }

    @AfterEach
    void end() throws SQLException {
        transaction.close();
    }

    @Test
    void single_turns_inside_a_transaction_publish_nothing_of_it_and_do_not_commit_it() throws SQLException {
        writeBusiness();
        outbox.append(transaction, "s", "uncommitted");

        try (Relay relay = relay()) {
            requireRefused(relay::publishCommitted);
        }

        assertThat(broker.arrived()).isEmpty();
        requireRolledBack();
        assertThat(outbox.rowsIn("outbox_message")).isZero();
    }

    @Test
    void single_turns_first_of_all_in_a_transaction_do_not_keep_its_connection() throws SQLException {
        try (Relay relay = relay()) {
            assertThatThrownBy(relay::publishCommitted)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the pool beneath");
            writeBusiness();
        }

        requireRolledBack();
    }

    @Test
    void a_relay_that_is_started_inside_a_transaction_does_not_commit_it() throws SQLException {
        writeBusiness();

        try (Relay relay = relay()) {
            requireRefused(relay::start);
        }

        requireRolledBack();
    }

    @Test
    void no_operation_commits_the_transaction_that_it_is_called_in() throws SQLException {
        var replay = OutboxReplay.of(bound, outbox.schema);
        var move = DestinationMove.of(bound, outbox.schema, OutboxFixture.DESTINATION);
        var destinations = Destinations.of(bound, outbox.schema);
        var holds = Holds.ofOutbox(bound, outbox.schema);
        var token = UUID.randomUUID();
        for (ThrowingCallable operation : List.<ThrowingCallable>of(
                () -> OutboxHistory.of(bound, outbox.schema).rebase(),
                () -> move.begin("a", "b", Duration.ofMinutes(1), INSTRUCTION),
                move::take,
                () -> move.finish(token, new DestinationMove.Taken(List.of()), false),
                () -> replay.begin(ReplaySelection.of(OutboxFixture.DESTINATION), "test"),
                () -> replay.step(token),
                () -> destinations.pause(OutboxFixture.DESTINATION, INSTRUCTION),
                () -> destinations.pause(OutboxFixture.DESTINATION, "test"),
                () -> holds.release(HoldFilter.everything(), INSTRUCTION),
                () -> holds.release(HoldKey.session(HoldSide.OUTBOX, OutboxFixture.DESTINATION, "s"), INSTRUCTION))) {
            writeBusiness();

            requireRefused(operation);

            requireRolledBack();
        }
        assertThat(outbox.rowsIn("outbox_pause")).isZero();
    }

    @Test
    void what_is_called_between_two_transactions_commits_and_the_next_one_is_whole() throws SQLException {
        transaction.commit();

        Destinations.of(bound, outbox.schema).pause(OutboxFixture.DESTINATION, INSTRUCTION);
        writeBusiness();

        requireRolledBack();
        assertThat(outbox.rowsIn("outbox_pause")).isEqualTo(1);
    }

    private void writeBusiness() throws SQLException {
        try (var statement = transaction.createStatement()) {
            statement.execute("insert into " + outbox.schema + ".business values ('order')");
        }
    }

    private static void requireRefused(ThrowingCallable operation) {
        assertThatThrownBy(operation)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inside an open transaction")
                .hasMessageContaining("the pool beneath");
    }

    private void requireRolledBack() throws SQLException {
        assertThat(transaction.getAutoCommit()).isFalse();
        transaction.rollback();
        assertThat(outbox.rowsIn("business")).isZero();
    }

    private Relay relay() {
        return Relay.builder(bound)
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .publisher(broker)
                .build();
    }

    /** The same, but for one method. */
    private static <T> T proxy(Class<T> type, Object target, String method, @Nullable Object answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, call, values) -> {
            if (call.getName().equals(method)) {
                return answer;
            }
            try {
                return call.invoke(target, values);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
