package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.connect.AnswerLimit;
import dev.waybill.inbox.transaction.DatabaseGate;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The database goes away or stands still. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class DatabaseOutageTest {
    private static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(100));

    private final AtomicBoolean down = new AtomicBoolean();
    InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = new InboxFixture(database);
    }

    @Test
    void while_the_database_is_down_nothing_is_received_and_nothing_is_dead_lettered() {
        var asked = new AtomicInteger();
        var paused = new AtomicInteger();
        var resumed = new AtomicInteger();
        var unreachable = inbox.on(failing());
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"), FakeMessage.of("m1"), FakeMessage.of("m2"));
        var turn = unreachable.turn(receiver, unreachable::effect, settings -> {
            settings.retries = BRIEFLY;
            settings.readAhead = 0;
            settings.listener = new ConsumerListener() {
                @Override
                public void paused(Throwable thrown) {
                    paused.incrementAndGet();
                }

                @Override
                public void resumed() {
                    resumed.incrementAndGet();
                }

                @Override
                public void received(InboundMessage message) {
                    down.set(asked.incrementAndGet() == 1);
                }
            };
        });

        turn.run();
        assertThat(receiver.log()).containsExactly("close");
        assertThat(asked).hasValue(1);
        assertThat(paused).hasValue(1);

        down.set(false);
        turn.run();

        assertThat(resumed).hasValue(1);
        assertThat(receiver.log()).containsExactly("close", "complete m1", "complete m2", "close");
        assertThat(inbox.effects()).containsExactly("m1", "m2");
    }

    @Test
    void the_gate_stays_shut_until_the_database_answers() throws Exception {
        var gate = new DatabaseGate(failing(), AnswerLimit.NONE, ConsumerListener.SILENT);
        down.set(true);
        gate.shut(new SQLException("gone", "08006"));
        var rests = new AtomicInteger();

        gate.await(pause -> {
            if (rests.incrementAndGet() == 3) {
                down.set(false);
            }
            return true;
        });

        assertThat(rests).hasValue(3);
        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void a_primary_that_takes_no_writes_any_more_shuts_the_gate_and_costs_no_message_anything(TestDatabase database)
            throws Exception {
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.server().jdbcUrl());
            pool.setMaximumPoolSize(1);
            var demoted = inbox.on(pool);
            demoted.asConsumer().execute("set default_transaction_read_only = on");
            var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
            var turn = demoted.turn(receiver, demoted::effect, settings -> {
                settings.retries = BRIEFLY;
                settings.deliveries = new DeliveryPolicy(1, 1, 1);
            });

            turn.run();
            assertThat(receiver.log()).containsExactly("close");
            assertThat(turn.parts().gate().isOpen()).isFalse();
            assertThat(inbox.count("inbox_session")).isZero();

            var rests = new AtomicInteger();
            turn.parts().gate().await(pause -> {
                if (rests.incrementAndGet() == 3) {
                    demoted.asConsumer().execute("set default_transaction_read_only = off");
                }
                return true;
            });
            assertThat(rests).hasValue(3);
        }
    }

    @Test
    void a_gate_that_is_shut_again_before_anything_has_worked_opens_later_each_time() throws Exception {
        var gate = new DatabaseGate(failing(), AnswerLimit.NONE, ConsumerListener.SILENT);
        var pauses = new ArrayList<Duration>();
        for (int i = 0; i < 3; i++) {
            gate.shut(new SQLException("no such table", "42P01"));
            gate.await(pause -> pauses.add(pause));
        }
        gate.open();
        gate.shut(new SQLException("no such table", "42P01"));
        gate.await(pause -> pauses.add(pause));

        assertThat(pauses)
                .containsExactly(
                        Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(500));
    }

    @Test
    void a_handler_that_takes_too_long_is_interrupted_rolled_back_and_tried_again() throws Exception {
        var tries = new AtomicInteger();
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
        inbox.useRealTime();
        var turn = inbox.turn(
                receiver,
                (tx, message) -> {
                    inbox.effect(tx, message);
                    if (tries.incrementAndGet() == 1) {
                        new CountDownLatch(1).await();
                    }
                    return Verdict.done();
                },
                settings -> settings.handlerTimeout = Duration.ofMillis(300));

        turn.runWatched();

        assertThat(tries).hasValue(2);
        assertThat(receiver.log()).containsExactly("complete m1", "close");
        assertThat(inbox.effects()).containsExactly("m1");
    }

    @Test
    void a_handler_that_waits_in_the_database_and_hears_no_interrupt_is_cut_off() throws Exception {
        var tries = new AtomicInteger();
        var receiver = ScriptedReceiver.ofSession(FakeMessage.of("m1"));
        inbox.useRealTime();
        var turn = inbox.turn(
                receiver,
                (tx, message) -> {
                    if (tries.incrementAndGet() == 1) {
                        tx.execute("select pg_sleep(3600)");
                    }
                    return inbox.effect(tx, message);
                },
                settings -> settings.handlerTimeout = Duration.ofMillis(300));

        turn.runWatched();

        assertThat(tries).hasValue(2);
        assertThat(receiver.log()).containsExactly("complete m1", "close");
        assertThat(inbox.effects()).containsExactly("m1");
    }

    private DataSource failing() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (down.get()) {
                        throw new SQLException("Connection refused", "08001");
                    }
                    return method.invoke(inbox.dataSource, arguments);
                });
    }
}
