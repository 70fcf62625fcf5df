package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.inbox.lock.SessionLock;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.message.MessageContent;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two handlers of one session never meet, whoever they are; and nobody goes on who has been succeeded. */
@ExtendWith(PostgresExtension.class)
@Timeout(30)
class SessionLockTest {
    private static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(100));

    InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void what_is_redriven_into_a_sessions_hold_waits_for_the_message_that_was_admitted_before() throws Exception {
        var inHandler = new CountDownLatch(1);
        var mayGoOn = new CountDownLatch(1);
        var owner = CompletableFuture.runAsync(() -> inbox.turn(
                        ScriptedReceiver.ofSession(FakeMessage.of("live")), (tx, message) -> {
                            inHandler.countDown();
                            assertThat(mayGoOn.await(10, TimeUnit.SECONDS)).isTrue();
                            return inbox.effect(tx, message);
                        })
                .run());
        assertThat(inHandler.await(10, TimeUnit.SECONDS)).isTrue();
        hold("redriven");
        inbox.useRealTime();

        var holds = inbox.turn(ScriptedReceiver.ofSession(), inbox::effect, settings -> {
            settings.lockTimeout = Duration.ofMillis(100);
            settings.retries = BRIEFLY;
        });
        holds.runHolds();
        assertThat(inbox.effects()).isEmpty();
        assertThat(inbox.dsl.fetchValue("select attempts from " + inbox.schema.table("inbox_hold")))
                .isEqualTo(0);

        mayGoOn.countDown();
        owner.get(10, TimeUnit.SECONDS);
        inbox.dsl.execute("update " + inbox.schema.table("inbox_hold") + " set due_at = now()");
        holds.runHolds();
        assertThat(inbox.effects()).containsExactly("live", "redriven");
    }

    @Test
    void a_session_in_which_somebody_is_at_work_is_given_back_and_nothing_is_counted() {
        inbox.dsl.transaction(other -> {
            other.dsl().execute("select pg_advisory_xact_lock(" + SessionLock.CLASS + ", " + key() + ")");
            var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));

            var turn = inbox.turn(receiver, inbox::effect, settings -> {
                settings.lockTimeout = Duration.ofMillis(20);
                settings.retries = BRIEFLY;
                settings.deliveries = new DeliveryPolicy(1, 1, 1);
            });
            turn.run();

            assertThat(receiver.log()).containsExactly("close");
            assertThat(turn.parts().gate().isOpen()).isTrue();
        });

        assertThat(inbox.count("inbox_session")).isZero();
        assertThat(inbox.recorded()).isEmpty();
    }

    @Test
    void a_lock_of_the_outbox_of_the_same_number_stops_no_handler() {
        inbox.dsl.transaction(other -> {
            other.dsl().execute("select pg_advisory_xact_lock(1463900482, " + key() + ")");

            inbox.turn(ScriptedReceiver.ofSession(FakeMessage.of("m1")), inbox::effect)
                    .run();
        });

        assertThat(inbox.effects()).containsExactly("m1");
    }

    private int key() {
        return new SessionLock(inbox.schema, "test", Duration.ofSeconds(1), Duration.ofSeconds(1)).key("s");
    }

    @Test
    void an_owner_that_rests_between_two_tries_is_fenced_off_once_its_successor_has_admitted_a_message() {
        var calls = new AtomicInteger();
        var successor = ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2"));
        whileResting(() -> inbox.turn(
                        successor,
                        (tx, message) ->
                                message.id().equals("m1") ? Verdict.deadLetter("No", "no") : inbox.effect(tx, message))
                .run());
        var stale = ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2"));

        inbox.turn(
                        stale,
                        (tx, message) -> calls.incrementAndGet() == 1
                                ? Verdict.retry(Duration.ofMillis(1))
                                : inbox.effect(tx, message))
                .run();

        assertThat(successor.log()).containsExactly("dead-letter m1 No", "complete m2", "close");
        assertThat(stale.log()).containsExactly("close");
        assertThat(inbox.effects()).containsExactly("m2");
        assertThat(calls).hasValue(1);
    }

    @Test
    void a_batch_of_an_owner_that_was_succeeded_is_fenced_off() {
        var stale = ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2"), FakeMessage.of("m3"));
        var successor = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
        stale.onReceive(() -> inbox.turn(successor, inbox::effect).run());

        inbox.turn(stale, inbox::effect, settings -> settings.batch = 3).run();

        assertThat(successor.log()).containsExactly("complete m1", "close");
        assertThat(stale.log()).containsExactly("close");
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void a_session_of_the_same_name_in_another_entity_has_an_owner_of_its_own() {
        var other = ScriptedReceiver.ofSession(FakeMessage.of("theirs"));
        var first = ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2"));
        first.onSettle(() -> {
            inbox.entity(EntityDescription.of("another", true));
            inbox.turn(other, inbox::effect).run();
        });

        inbox.turn(first, inbox::effect, settings -> settings.readAhead = 0).run();

        assertThat(first.log()).containsExactly("complete m1", "complete m2", "close");
        assertThat(inbox.effects()).contains("m1", "m2", "theirs");
    }

    @Test
    void a_frozen_handlers_transaction_ends_some_time_after_the_handlers_time() {
        inbox.turn(
                        ScriptedReceiver.ofSession(FakeMessage.of("m1")),
                        (tx, message) -> {
                            assertThat(setting(tx, "idle_in_transaction_session_timeout"))
                                    .isEqualTo("35s");
                            return Verdict.done();
                        },
                        settings -> settings.handlerTimeout = Duration.ofSeconds(20))
                .run();

        assertThat(inbox.recorded()).containsExactly("m1");
        assertThat(setting(inbox.dsl, "idle_in_transaction_session_timeout")).isEqualTo("0");
    }

    @Test
    void on_a_server_that_does_not_wait_for_the_disk_a_messages_commit_does(TestDatabase database) {
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.server().jdbcUrl());
            pool.setConnectionInitSql("set synchronous_commit = off");
            pool.setMaximumPoolSize(3);
            var modes = new ArrayList<String>();
            Handler handler = (tx, message) -> {
                modes.add(setting(tx, "synchronous_commit"));
                return inbox.effect(tx, message);
            };

            inbox.on(pool)
                    .turn(ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2")), handler)
                    .run();
            inbox.on(pool)
                    .turn(
                            ScriptedReceiver.ofSession(FakeMessage.of("m3"), FakeMessage.of("m4")),
                            handler,
                            settings -> settings.batch = 2)
                    .run();

            assertThat(modes).hasSize(4).containsOnly("local");
            assertThat(setting(DSL.using(pool, SQLDialect.POSTGRES), "synchronous_commit"))
                    .isEqualTo("off");
        }
    }

    private static String setting(DSLContext dsl, String name) {
        return dsl.fetchSingle("select current_setting({0})", DSL.val(name)).get(0, String.class);
    }

    @Test
    void a_connection_that_fails_after_the_commit_costs_the_message_nothing_and_is_not_kept() {
        var open = new AtomicInteger();
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m2"));

        inbox.on(failingAtTheEnd(open))
                .turn(receiver, inbox::effect, settings -> settings.readAhead = 0)
                .run();

        assertThat(receiver.log()).containsExactly("complete m1", "complete m2", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2");
        assertThat(open).hasValue(0);
    }

    /** Its connections cannot be put back into auto-commit once a transaction was done by them. */
    private DataSource failingAtTheEnd(AtomicInteger open) {
        return proxy(DataSource.class, (method, arguments) -> {
            var connection = (Connection) method.invoke(inbox.dataSource, arguments);
            open.incrementAndGet();
            var begun = new AtomicBoolean();
            return proxy(Connection.class, (called, values) -> {
                if (called.getName().equals("setAutoCommit") && begun.getAndSet(values[0].equals(false))) {
                    throw new SQLException("the connection is gone", "08006");
                }
                if (called.getName().equals("close")) {
                    open.decrementAndGet();
                }
                return called.invoke(connection, values);
            });
        });
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, values) -> {
                    try {
                        return call.of(method, values);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private interface Call {
        Object of(Method method, Object[] values) throws Exception;
    }

    private void whileResting(Runnable meanwhile) {
        var done = new AtomicBoolean();
        inbox.workerClock = new WorkerClock(inbox.clock::get, pause -> {
            if (!pause.isZero() && !done.getAndSet(true)) {
                meanwhile.run();
            }
            return true;
        });
    }

    private void hold(String id) {
        inbox.dsl.transaction(tx -> {
            var table = HoldTable.in(inbox.schema, HoldSide.INBOX);
            long hold = table.join(tx.dsl(), HoldKey.session(HoldSide.INBOX, "test", "s"));
            table.add(
                    tx.dsl(),
                    hold,
                    new HeldMessage.Origin(1, Instant.EPOCH, 3),
                    MessageContent.of(id, "s", new byte[0]));
        });
    }
}
