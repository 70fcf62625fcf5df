package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Boundaries that are configured wrong, each in a way in which effects would be lost or repeated in silence. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class BoundaryProbeTest {
    private final List<Throwable> pauses = new CopyOnWriteArrayList<>();
    private TestDatabase database;
    private InboxFixture inbox;
    private ThreadBoundTransactions manager;

    @BeforeEach
    void create_the_tables(TestDatabase given) {
        database = given;
        inbox = new InboxFixture(given);
        manager = new ThreadBoundTransactions(inbox.dataSource);
    }

    private enum Mistake {
        AUTO_COMMIT("is not in a transaction"),
        NOT_ENLISTED("is not in a transaction"),
        ANOTHER_TRANSACTION_ELSEWHERE("in another transaction, or in none"),
        READ_ONLY("not read-only"),
        REPEATABLE_READ("READ COMMITTED"),
        MARKED_FROM_THE_BEGINNING("marked to be rolled back"),
        COMMIT_ROLLS_BACK("should be committed is 'aborted'"),
        ROLLBACK_COMMITS("should be aborted is 'committed'"),
        FAILS("no transaction manager here");

        private final String told;

        Mistake(String told) {
            this.told = told;
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_boundary_that_is_none_is_refused_at_start(Mistake mistake) {
        try (var consumer = consumer(inbox.dataSource, new Mistaken(mistake))) {
            assertThatThrownBy(consumer::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("The transaction boundary cannot be used")
                    .hasMessageContaining(mistake.told);
        }
        assertThat(manager.isBound()).isFalse();
    }

    @Test
    void a_boundary_of_another_database_of_the_same_server_is_refused_at_start() throws SQLException {
        String name = database.schema() + "_other";
        database.execute("create database " + name);
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.server().jdbcUrl().replaceFirst("(//[^/]*/)[^?]*", "$1" + name));
            pool.setMaximumPoolSize(2);
            try (var consumer = consumer(inbox.dataSource, new ThreadBoundTransactions(pool))) {
                assertThatThrownBy(consumer::start).hasMessageContaining("another database than the consumer");
            }
        }
        database.execute("drop database " + name);
    }

    @Test
    void a_database_that_takes_no_writes_for_a_while_is_no_reason_to_refuse_a_boundary() {
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.server().jdbcUrl());
            pool.setConnectionInitSql("set default_transaction_read_only = on");
            pool.setMaximumPoolSize(3);
            try (var consumer = consumer(pool, new ThreadBoundTransactions(pool))) {
                assertThat(consumer.start()).isSameAs(consumer);
            }
        }
    }

    @Test
    void a_consumer_that_is_started_inside_a_transaction_proves_its_boundary_in_another_thread() throws SQLException {
        var around = manager.begin(Duration.ofMinutes(1));
        try (var consumer = consumer(inbox.dataSource, manager)) {
            consumer.start();
        }
        around.connection().rollback();
        assertThat(manager.isBound()).isTrue();
        manager.detach();
        around.connection().close();
    }

    @Test
    void a_boundary_that_works_leaves_nothing_behind() {
        try (var consumer = consumer(inbox.dataSource, manager)) {
            consumer.start();
        }
        assertThat(manager.isBound()).isFalse();
        assertThat(manager.begun()).isEqualTo(2);
    }

    @Test
    void a_boundary_that_could_not_be_asked_at_start_is_asked_before_the_first_message() {
        var away = new AtomicBoolean(true);
        DataSource pool = ThreadBoundTransactions.proxy(DataSource.class, (method, arguments) -> {
            if (away.get() && method.getName().equals("getConnection")) {
                throw new SQLException("not yet", "08001");
            }
            return method.invoke(inbox.dataSource, arguments);
        });
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
        manager = new ThreadBoundTransactions(pool);
        var mistaken = new Mistaken(Mistake.AUTO_COMMIT);
        try (var consumer = consumer(pool, mistaken, receiver)) {
            consumer.start();
            away.set(false);

            // Only for a moment: the gate opens again, and there is no other message.
            await().untilAsserted(() -> assertThat(pauses)
                    .anySatisfy(why -> assertThat(why).hasStackTraceContaining("is not in a transaction")));
            assertThat(receiver.log()).allMatch("close"::equals);
            assertThat(inbox.recorded()).isEmpty();
        }
    }

    /** Wrong in one way. */
    private final class Mistaken implements TransactionBoundary {
        private final Mistake mistake;

        Mistaken(Mistake mistake) {
            this.mistake = mistake;
        }

        @Override
        public Transaction begin(Duration longest) throws Exception {
            if (mistake == Mistake.FAILS) {
                throw new UnsupportedOperationException("no transaction manager here");
            }
            Transaction right = manager.begin(longest);
            Connection connection = right.connection();
            switch (mistake) {
                case AUTO_COMMIT -> connection.setAutoCommit(true);
                case READ_ONLY -> execute(connection, "set transaction read only");
                case REPEATABLE_READ -> execute(connection, "set transaction isolation level repeatable read");
                case MARKED_FROM_THE_BEGINNING -> manager.setRollbackOnly();
                default -> {}
            }
            return new Wrong(mistake, right, inbox.dataSource.getConnection(), inbox.dataSource);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private record Wrong(
            Mistake mistake, TransactionBoundary.Transaction right, Connection notEnlisted, DataSource pool)
            implements TransactionBoundary.Transaction {
        @Override
        public Connection connection() {
            return mistake == Mistake.NOT_ENLISTED ? notEnlisted : right.connection();
        }

        @Override
        public boolean isRollbackOnly() throws Exception {
            return right.isRollbackOnly();
        }

        @Override
        public List<String> askElsewhere(String query) {
            return mistake == Mistake.ANOTHER_TRANSACTION_ELSEWHERE
                    ? List.of(DSL.using(pool, SQLDialect.POSTGRES)
                            .fetchSingle(query)
                            .get(0, String.class))
                    : List.of();
        }

        @Override
        public void commit() throws Exception {
            notEnlisted.close();
            if (mistake == Mistake.COMMIT_ROLLS_BACK) {
                right.rollBack();
            } else {
                right.commit();
            }
        }

        @Override
        public void rollBack() throws Exception {
            notEnlisted.close();
            if (mistake == Mistake.ROLLBACK_COMMITS) {
                right.commit();
            } else {
                right.rollBack();
            }
        }
    }

    private InboxConsumer consumer(DataSource pool, TransactionBoundary boundary) {
        return consumer(pool, boundary, ScriptedReceiver.ofSession());
    }

    private InboxConsumer consumer(DataSource pool, TransactionBoundary boundary, Receiver receiver) {
        return InboxConsumer.builder(pool)
                .schema(inbox.schema)
                .name("test")
                .source(new Once(receiver, new CountDownLatch(1)))
                .handler(inbox::effect)
                .transactions(boundary)
                .concurrency(1)
                .retries(new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ZERO))
                .tuning(tuning -> tuning.drain(Duration.ofSeconds(1)))
                .listener(new ConsumerListener() {
                    @Override
                    public void paused(Throwable thrown) {
                        pauses.add(thrown);
                    }
                })
                .build();
    }

    /** An entity with one session. */
    private record Once(Receiver receiver, CountDownLatch stopped) implements MessageSource {
        @Override
        public EntityDescription facts() {
            return EntityDescription.of("q", true);
        }

        @Override
        public Optional<Receiver> acceptNext() throws InterruptedException {
            return stopped.await(10, TimeUnit.MILLISECONDS) ? Optional.empty() : Optional.of(receiver);
        }

        @Override
        public Optional<Receiver> accept(String session, Duration atMost) {
            return Optional.empty();
        }

        @Override
        public void stopAccepting() {
            stopped.countDown();
        }

        @Override
        public void close() {}
    }
}
