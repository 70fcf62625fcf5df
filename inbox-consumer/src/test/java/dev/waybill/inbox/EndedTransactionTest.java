package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.lock.WorkerClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;

/** Transactions that handlers end, or leave in a state in which they cannot be committed, past the connection that they are given. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class EndedTransactionTest {
    private static final RetryPolicy ONCE = new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ZERO);

    private InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit", "commit and chain", "commit; begin", "rollback", "rollback; begin"})
    void neighbours_of_a_handler_that_ends_its_batch_by_a_statement_have_their_effects_once(String statement) {
        var receiver = session("m1", "m2", "m3", "m4");

        run(inbox, receiver, connection -> execute(connection, statement), settings -> settings.batch = 4);

        assertThat(receiver.log()).contains("complete m1", "complete m3", "complete m4");
        assertThat(inbox.effects()).contains("m3", "m4").doesNotHaveDuplicates();
    }

    @Test
    void neighbours_of_a_handler_that_commits_its_batch_and_fails_have_their_effects_once() {
        var receiver = session("m1", "m2", "m3", "m4");

        run(
                inbox,
                receiver,
                connection -> {
                    execute(connection, "commit");
                    throw new IllegalStateException("after its commit");
                },
                settings -> settings.batch = 4);

        assertThat(receiver.log()).contains("complete m1", "complete m3", "complete m4");
        assertThat(inbox.effects()).contains("m3", "m4").doesNotHaveDuplicates();
    }

    @Test
    void where_transactions_are_read_only_by_default_a_handler_that_rolls_back_is_found_out(TestDatabase database) {
        try (var pool = pool(database, "options=-c%20default_transaction_read_only=on")) {
            DataSource writing = writing(pool);
            var receiver = session("m1", "m2", "m3");

            run(
                    inbox.on(inbox.dataSource),
                    receiver,
                    connection -> execute(connection, "rollback"),
                    settings -> settings.boundary = new ThreadBoundTransactions(writing));

            assertThat(receiver.log()).anyMatch(line -> line.startsWith("dead-letter m2"));
            assertThat(inbox.effects()).containsExactly("m1", "m3");
            assertThat(inbox.recorded()).containsExactly("m1", "m3");
        }
    }

    @Test
    void where_transactions_are_read_only_by_default_messages_are_handled_in_those_that_write(TestDatabase database) {
        try (var pool = pool(database, "options=-c%20default_transaction_read_only=on")) {
            DataSource writing = writing(pool);
            var receiver = session("m1", "m2", "m3");

            run(
                    inbox.on(inbox.dataSource),
                    receiver,
                    connection -> {},
                    settings -> settings.boundary = new ThreadBoundTransactions(writing));

            assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "complete m3", "close");
            assertThat(inbox.effects()).containsExactly("m1", "m2", "m3");
        }
    }

    @Test
    @Disabled("The driver knows the value of the mark, and not who has set it")
    void a_handler_that_rolls_back_and_sets_the_mark_by_itself_is_found_out() {
        var receiver = session("m1", "m2", "m3");

        run(
                inbox,
                receiver,
                connection -> {
                    execute(connection, "rollback");
                    execute(connection, "set local default_transaction_read_only = on");
                },
                settings -> {});

        assertThat(receiver.log()).doesNotContain("complete m2");
    }

    @Test
    void a_transaction_that_cannot_be_rolled_back_is_nobodys_next_one(TestDatabase database) {
        try (var pool = pool(database, "preferQueryMode=simple")) {
            var receiver = session("m1", "m2", "m3", "m4");

            run(inbox.on(pool), receiver, connection -> driver(connection).setAutoCommit(true), settings -> {});

            assertThat(receiver.log()).contains("complete m3", "complete m4");
            assertThat(inbox.effects()).contains("m3", "m4");
            assertThat(inbox.recorded()).contains("m3", "m4");
        }
    }

    @Test
    @Disabled("The driver waits for the end of the copy, in a thread that nobody interrupts any more")
    void a_handler_that_leaves_a_copy_under_way_keeps_no_worker() throws Exception {
        var receiver = session("m1", "m2", "m3");
        var thread = new Thread(() -> run(
                inbox,
                receiver,
                connection -> connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("copy " + inbox.schema.table("effect") + " (id) from stdin"),
                settings -> {}));
        thread.setDaemon(true);
        thread.start();

        thread.join(Duration.ofSeconds(5).toMillis());

        assertThat(thread.isAlive())
                .as(() -> java.util.Arrays.toString(thread.getStackTrace()))
                .isFalse();
        assertThat(receiver.log()).doesNotContain("complete m2");
    }

    @Test
    void a_pool_that_is_older_than_the_question_for_its_driver_costs_no_message() {
        var old = inbox.on(proxied(inbox.dataSource));
        var receiver = session("m1", "m2", "m3");

        run(old, receiver, connection -> {}, settings -> {});

        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "complete m3", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2", "m3");
    }

    private static void run(InboxFixture inbox, ScriptedReceiver receiver, Act act, Consumer<ConsumerOptions> change) {
        inbox.workerClock = new WorkerClock(inbox.clock::get, pause -> true);
        Handler handler = Handler.onConnection((connection, message) -> {
            inbox.effect(DSL.using(connection, SQLDialect.POSTGRES), message);
            if (message.id().equals("m2")) {
                act.on(connection);
            }
            return Verdict.done();
        });
        inbox.turn(receiver, handler, settings -> {
                    settings.retries = ONCE;
                    change.accept(settings);
                })
                .run();
    }

    private interface Act {
        void on(Connection connection) throws SQLException;
    }

    private static Connection driver(Connection connection) throws SQLException {
        return connection.unwrap(BaseConnection.class);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Each transaction writes, whatever the default of the role is. */
    private static DataSource writing(DataSource pool) {
        return ThreadBoundTransactions.proxy(DataSource.class, (method, arguments) -> {
            Object answer = method.invoke(pool, arguments);
            if (answer instanceof Connection connection) {
                connection.setAutoCommit(false);
                execute(connection, "set transaction read write");
            }
            return answer;
        });
    }

    private static DataSource proxied(DataSource pool) {
        return ThreadBoundTransactions.proxy(DataSource.class, (method, arguments) -> {
            Object answer = method.invoke(pool, arguments);
            return answer instanceof Connection connection ? old(connection) : answer;
        });
    }

    private static Connection old(Connection connection) {
        return ThreadBoundTransactions.proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("isWrapperFor")) {
                throw new AbstractMethodError("isWrapperFor");
            }
            return method.invoke(connection, arguments);
        });
    }

    private static HikariDataSource pool(TestDatabase database, String parameter) {
        String url = database.server().jdbcUrl();
        var pool = new HikariDataSource();
        pool.setJdbcUrl(url + (url.contains("?") ? "&" : "?") + parameter);
        pool.setMaximumPoolSize(3);
        pool.setMinimumIdle(0);
        return pool;
    }

    private static ScriptedReceiver session(String... ids) {
        var messages = new InboundMessage[ids.length];
        for (int i = 0; i < ids.length; i++) {
            messages[i] = new FakeMessage(ids[i], 1, i + 1);
        }
        return ScriptedReceiver.ofSession(messages);
    }
}
