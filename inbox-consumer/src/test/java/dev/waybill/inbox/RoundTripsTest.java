package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.lock.WorkerClock;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often a message's transaction asks the server, and what is known without asking. */
@ExtendWith(PostgresExtension.class)
class RoundTripsTest {
    private static final int MESSAGES = 5;

    // Where they are once, in all the time that a consumer lives, is no matter of a message.
    private static final Map<String, Integer> ASKING = Map.of("execute", 1, "executeUpdate", 1, "executeQuery", 1);

    private final AtomicInteger asked = new AtomicInteger();
    private InboxFixture inbox;
    private boolean hidden;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        var plain = new InboxFixture(database);
        inbox = plain.on(counting(plain.dataSource));
    }

    @Test
    void a_message_whose_next_one_has_come_costs_two_round_trips() {
        handle(false);

        // The first one's record, and for each message the handler's statement and its commit.
        assertThat(asked).hasValue(1 + MESSAGES * 2);
    }

    @Test
    void a_message_in_a_managers_transaction_costs_three_round_trips() {
        handle(true);

        assertThat(asked).hasValue(MESSAGES * 3);
    }

    @Test
    void behind_a_pool_that_hides_the_driver_the_server_is_asked_whether_the_transaction_is_still_the_messages() {
        hidden = true;

        handle(true);

        assertThat(asked).hasValue(MESSAGES * 4);
    }

    @Test
    void a_message_that_arrives_while_another_is_handled_is_begun_with_its_commit() {
        var recordedWhenSettled = new ArrayList<Integer>();
        stopTheClock();
        var receiver = session();
        receiver.arrivesLate("m1");
        receiver.onSettle(() -> recordedWhenSettled.add(inbox.recorded().size()));

        inbox.turn(receiver, inbox::effect).run();

        assertThat(recordedWhenSettled).containsExactly(5, 5, 5, 5, 5);
        assertThat(inbox.effects()).containsExactly("m0", "m1", "m2", "m3", "m4");
    }

    @Test
    void no_completion_waits_for_more_messages_than_are_read_ahead() {
        var recordedWhenSettled = new ArrayList<Integer>();
        stopTheClock();
        var receiver = session();
        receiver.arrivesLate("m1");
        receiver.onSettle(() -> recordedWhenSettled.add(inbox.recorded().size()));

        inbox.turn(receiver, inbox::effect, settings -> settings.readAhead = 1).run();

        assertThat(recordedWhenSettled).containsExactly(2, 2, 4, 4, 5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_handler_that_ends_its_transaction_is_found_whether_or_not_the_driver_can_be_asked(boolean managed) {
        for (boolean hides : new boolean[] {false, true}) {
            hidden = hides;
            var receiver = session();

            inbox.turn(
                            receiver,
                            (tx, message) -> {
                                if (message.id().equals("m1")) {
                                    tx.execute("rollback");
                                }
                                return inbox.effect(tx, message);
                            },
                            settings -> settings(settings, managed))
                    .run();

            assertThat(receiver.log()).anyMatch(line -> line.startsWith("dead-letter m1"));
            assertThat(inbox.effects()).doesNotContain("m1");
            assertThat(inbox.recorded()).doesNotContain("m1");
        }
    }

    private void handle(boolean managed) {
        var atFirst = new AtomicInteger();
        stopTheClock();
        var turn = inbox.turn(
                session(),
                (tx, message) -> {
                    atFirst.compareAndSet(0, asked.get());
                    return inbox.effect(tx, message);
                },
                settings -> settings(settings, managed));

        turn.run();

        assertThat(inbox.effects()).hasSize(MESSAGES);
        // Before that comes the consumer's start, up to the first record.
        asked.addAndGet(1 - atFirst.get());
    }

    private void stopTheClock() {
        inbox.workerClock = new WorkerClock(inbox.clock::get, pause -> true);
    }

    private void settings(ConsumerOptions settings, boolean managed) {
        settings.retries = new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ZERO);
        if (managed) {
            settings.boundary = new ThreadBoundTransactions(inbox.dataSource);
        }
    }

    private DataSource counting(DataSource pool) {
        return ThreadBoundTransactions.proxy(
                DataSource.class,
                (method, arguments) -> method.getName().equals("getConnection")
                        ? counting((Connection) Objects.requireNonNull(invoke(method, pool, arguments)))
                        : invoke(method, pool, arguments));
    }

    private Connection counting(Connection connection) {
        return ThreadBoundTransactions.proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("isWrapperFor") && hidden) {
                return false;
            }
            if (method.getName().equals("commit")) {
                asked.incrementAndGet();
            }
            Object answer = invoke(method, connection, arguments);
            return answer instanceof PreparedStatement statement ? counting(statement) : answer;
        });
    }

    private PreparedStatement counting(PreparedStatement statement) {
        return ThreadBoundTransactions.proxy(PreparedStatement.class, (method, arguments) -> {
            asked.addAndGet(ASKING.getOrDefault(method.getName(), 0));
            return invoke(method, statement, arguments);
        });
    }

    private static @Nullable Object invoke(Method method, Object target, Object @Nullable [] arguments)
            throws Exception {
        return method.invoke(target, arguments);
    }

    private static ScriptedReceiver session() {
        var messages = new InboundMessage[MESSAGES];
        for (int i = 0; i < MESSAGES; i++) {
            messages[i] = new FakeMessage("m" + i, 1, i + 1);
        }
        return ScriptedReceiver.ofSession(messages);
    }
}
