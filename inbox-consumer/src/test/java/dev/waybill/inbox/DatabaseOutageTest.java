package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
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
    private InboxFixture inbox;

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
                    asked.incrementAndGet();
                }
            };
        });
        down.set(true);

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
        var gate = new DatabaseGate(failing(), ConsumerListener.SILENT);
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

        whileWatched(turn);

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

        whileWatched(turn);

        assertThat(tries).hasValue(2);
        assertThat(receiver.log()).containsExactly("complete m1", "close");
        assertThat(inbox.effects()).containsExactly("m1");
    }

    private void whileWatched(InboxFixture.Turn turn) throws InterruptedException {
        var over = new CountDownLatch(1);
        var watch = new Thread(new Watch(List.of(turn.work()), over));
        watch.start();
        try {
            turn.run();
        } finally {
            over.countDown();
            watch.join();
        }
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
