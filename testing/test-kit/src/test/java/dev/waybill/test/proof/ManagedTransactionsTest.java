package dev.waybill.test.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.inbox.Verdict;
import dev.waybill.test.TestMessage;
import dev.waybill.test.WaybillExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers whose services take part in transactions that a manager binds to the thread. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ManagedTransactionsTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL =
            new WaybillExtension().tables("create table entry (id text not null, kind text not null)");

    private final Map<DataSource, Bound> managers = new ConcurrentHashMap<>();

    @Test
    void a_service_that_takes_part_is_right(DataSource dataSource) throws Exception {
        ProofReport report = proof(
                        dataSource,
                        (watched, message) -> insert(manager(watched).bound(), message))
                .run();

        assertThat(report.faults()).as(report.toString()).isEmpty();
        assertThat(report.runs()).isGreaterThan(10);
    }

    @Test
    void a_service_that_takes_a_transaction_of_its_own_is_found(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (watched, message) -> {
                    insert(manager(watched).bound(), message);
                    try (Connection own = watched.getConnection()) {
                        own.setAutoCommit(false);
                        insert(own, message);
                        own.commit();
                    }
                })
                .run();

        assertThat(report.has(FaultKind.OWN_TRANSACTION)).as(report.toString()).isTrue();
    }

    @Test
    void a_service_that_swallows_what_its_manager_marks_for_rollback_is_found(DataSource dataSource) throws Exception {
        ProofReport report = proof(dataSource, (watched, message) -> {
                    try {
                        insert(manager(watched).bound(), message);
                    } catch (SQLException e) {
                        manager(watched).mark();
                    }
                })
                .run();

        assertThat(report.has(FaultKind.SWALLOWED)).as(report.toString()).isTrue();
    }

    private interface Service {
        void apply(DataSource watched, InboundMessage message) throws SQLException;
    }

    private HandlerProof proof(DataSource dataSource, Service service) {
        return HandlerProof.restarting(dataSource, watched -> handler(watched, service))
                .transactions(watched -> managers.computeIfAbsent(watched, Bound::new))
                .messages(
                        TestMessage.of("m1").session("a").build(),
                        TestMessage.of("m2").session("b").build());
    }

    private static Handler handler(DataSource watched, Service service) {
        return (tx, message) -> {
            service.apply(watched, message);
            return Verdict.done();
        };
    }

    private Bound manager(DataSource watched) {
        return managers.computeIfAbsent(watched, Bound::new);
    }

    private static void insert(Connection connection, InboundMessage message) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into entry values (?, 'x')")) {
            insert.setString(1, message.id());
            insert.executeUpdate();
        }
    }

    /** A manager that binds one transaction to each thread. */
    private static final class Bound implements TransactionBoundary {
        private final DataSource dataSource;
        private final Map<Thread, Connection> connections = new ConcurrentHashMap<>();
        private final Map<Thread, Boolean> marks = new ConcurrentHashMap<>();

        Bound(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        Connection bound() {
            return Objects.requireNonNull(connections.get(Thread.currentThread()));
        }

        void mark() {
            marks.put(Thread.currentThread(), true);
        }

        @Override
        public Transaction begin(Duration longest) throws SQLException {
            Connection connection = dataSource.getConnection();
            connection.setAutoCommit(false);
            connections.put(Thread.currentThread(), connection);
            marks.put(Thread.currentThread(), false);
            return new Transaction() {
                @Override
                public Connection connection() {
                    return connection;
                }

                @Override
                public boolean isRollbackOnly() {
                    return marks.getOrDefault(Thread.currentThread(), false);
                }

                @Override
                public void commit() throws SQLException {
                    try (connection) {
                        connections.remove(Thread.currentThread());
                        connection.commit();
                    }
                }

                @Override
                public void rollBack() throws SQLException {
                    try (connection) {
                        connections.remove(Thread.currentThread());
                        connection.rollback();
                    }
                }
            };
        }
    }
}
