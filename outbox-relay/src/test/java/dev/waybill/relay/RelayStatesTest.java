package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Relays that are told to start or to publish when they do already, or cannot any more. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayStatesTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private final AtomicInteger closes = new AtomicInteger();
    private final AtomicInteger statementsOfThisThread = new AtomicInteger();
    private final Thread thisThread = Thread.currentThread();
    private volatile Consumer<String> onStatement = sql -> {};
    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_second_start_is_refused_before_it_signs_on_and_the_relay_works_on() {
        try (Relay relay = relay().start()) {
            statementsOfThisThread.set(0);

            assertThatThrownBy(relay::start)
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has been started before");

            assertThat(statementsOfThisThread).hasValue(0);
            outbox.append("s", "m1");
            await().until(() -> broker.arrived().contains("m1"));
        }
    }

    @Test
    void a_relay_that_was_closed_is_not_started_again() {
        Relay relay = relay().start();
        relay.close();

        refusesEverything(relay);
    }

    /** It would return as if it published. */
    @Test
    void a_relay_that_was_closed_before_its_start_is_not_started() {
        Relay relay = relay();
        relay.close();

        refusesEverything(relay);
    }

    @Test
    void single_turns_end_with_the_close() {
        Relay relay = relay();
        relay.publishCommitted();
        relay.close();

        refusesEverything(relay);
    }

    private void refusesEverything(Relay relay) {
        statementsOfThisThread.set(0);
        assertThatThrownBy(relay::start)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has been closed");
        assertThatThrownBy(relay::publishCommitted)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has been closed");
        assertThat(statementsOfThisThread).hasValue(0);
        assertThat(relaysAlive()).isZero();
    }

    /** It has said already that it is alive. */
    @Test
    void a_start_that_fails_after_the_first_beat_may_be_repeated() {
        var failing = new AtomicBoolean(true);
        onStatement = sql -> {
            if (sql.contains("outbox_destination") && failing.getAndSet(false)) {
                throw new DataAccessException("planted");
            }
        };
        try (Relay relay = relay()) {
            assertThatThrownBy(relay::start).hasMessageContaining("planted");

            relay.start();

            outbox.append("s", "m1");
            await().until(() -> broker.arrived().contains("m1"));
        }
        assertThat(relaysAlive()).isZero();
    }

    @Test
    void of_several_starts_at_once_all_but_one_are_refused() throws Exception {
        try (Relay relay = relay()) {
            var refused = new AtomicInteger();
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 8; i++) {
                threads.add(new Thread(() -> {
                    try {
                        relay.start();
                    } catch (IllegalStateException e) {
                        refused.incrementAndGet();
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }

            assertThat(refused).hasValue(7);
            outbox.append("s", "m1");
            await().until(() -> broker.arrived().contains("m1"));
        }
    }

    @Test
    void a_second_close_does_nothing() {
        Relay relay = relay().start();
        relay.close();
        relay.close();

        assertThat(closes).hasValue(1);
    }

    /** Its threads would begin after the close, and nobody could end them. */
    @Test
    void a_close_in_the_middle_of_a_start_ends_what_the_start_begins() throws Exception {
        var signingOn = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        onStatement = sql -> {
            if (sql.contains("relay_beat") && goOn.getCount() > 0) {
                signingOn.countDown();
                awaited(goOn);
            }
        };
        Relay relay = relay();
        var starting = new Thread(relay::start);
        starting.start();
        signingOn.await();

        var closing = new Thread(relay::close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
        goOn.countDown();
        starting.join();
        closing.join();

        outbox.append("s", "m1");
        assertThat(relaysAlive()).isZero();
        assertThatThrownBy(relay::start).hasMessageContaining("has been closed");
        assertThat(broker.arrived()).isEmpty();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private int relaysAlive() {
        return outbox.dsl
                .fetchSingle("select count(*) from " + outbox.schema.table("relay_liveness") + " where alive")
                .get(0, Integer.class);
    }

    private Relay relay() {
        var watched = WatchedConnections.of(database.dataSource(), new WatchedConnections.Watch() {
            @Override
            public void before(String sql) {
                if (Thread.currentThread() == thisThread) {
                    statementsOfThisThread.incrementAndGet();
                }
                onStatement.accept(sql);
            }
        });
        return Relay.builder(watched)
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .publisher(new CountedCloses())
                .build();
    }

    private final class CountedCloses implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return broker.publish(shipment);
        }

        @Override
        public CompletionStage<?> prepare(String destination) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public void close() {
            closes.incrementAndGet();
        }
    }
}
