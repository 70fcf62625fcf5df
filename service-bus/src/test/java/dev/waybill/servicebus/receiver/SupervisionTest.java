package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.HoldState;
import dev.waybill.inbox.ConsumerHealth;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.FailurePolicy;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A message ends somewhere, and no thread of the consumer ends, whatever a handler, a listener or a policy throws. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SupervisionTest {
    private BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(database, broker -> broker.queue("orders", queue -> queue.requiresSession()));
    }

    @AfterEach
    void stop() {
        it.close();
    }

    /** The harm that one message does to its handler. */
    private enum Poison {
        INTERRUPTED_EXCEPTION,
        OUT_OF_MEMORY,
        SERVICE_CONFIGURATION,
        NOTHING_TO_READ,
        A_LOCK_OF_ITS_OWN;

        void act() throws InterruptedException {
            switch (this) {
                case INTERRUPTED_EXCEPTION ->
                    throw new InterruptedException("rethrown from the future of a pool that was shut down");
                case OUT_OF_MEMORY -> throw new OutOfMemoryError("Requested array size exceeds VM limit");
                case SERVICE_CONFIGURATION -> throw new ServiceConfigurationError("no provider");
                case NOTHING_TO_READ -> throw new Unprintable();
                case A_LOCK_OF_ITS_OWN -> throw new LockLostException("a lock of the handler's own", null);
            }
        }
    }

    private static final class Unprintable extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("even that fails");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void whatever_a_handler_throws_its_message_ends_as_a_dead_letter_and_other_sessions_go_on(Poison poison) {
        InboxConsumer consumer = it.consume(it.sessions("orders"), poisoned(poison));

        it.send("orders", "bad", "poison");
        for (int i = 0; i < 6; i++) {
            it.send("orders", "good" + i, "good" + i);
        }

        it.awaitSettled("orders", 7);
        assertThat(it.effects()).hasSize(6);
        assertThat(it.bus.inspect("orders").deadLetters()).isOne();
        assertThat(consumer.health().isHealthy()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void whatever_a_handler_throws_its_message_parks_its_session_where_the_policy_says_so(Poison poison) {
        InboxConsumer consumer = it.consume(
                it.sessions("orders"), poisoned(poison), settings -> settings.onFailure(OnFailure.HOLD_SESSION));

        it.send("orders", "bad", "poison");
        it.send("orders", "bad", "behind");
        it.send("orders", "good", "good");

        it.awaitSettled("orders", 3);
        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("good"));
        assertThat(InboxHolds.in(it.dataSource, it.schema).list())
                .singleElement()
                .satisfies(hold -> {
                    assertThat(hold.state()).isEqualTo(HoldState.PARKED);
                    assertThat(hold.messages()).isEqualTo(2);
                });
        assertThat(consumer.health().isHealthy()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void whatever_a_held_message_throws_the_next_hold_is_handled(Poison poison) {
        var calls = new ConcurrentHashMap<String, Integer>();
        Handler poisoned = poisoned(poison);
        InboxConsumer consumer = it.consume(
                it.sessions("orders"),
                (tx, message) -> calls.merge(message.id(), 1, Integer::sum) == 1
                        ? Verdict.retry(Duration.ofMillis(100))
                        : poisoned.handle(tx, message),
                SupervisionTest::quickErrands);

        it.send("orders", "s1", "poison");
        await().until(() -> InboxHolds.in(it.dataSource, it.schema).list().stream()
                .anyMatch(hold -> hold.state() == HoldState.PARKED));
        it.send("orders", "s2", "good");

        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("good"));
        assertThat(consumer.health().isHealthy()).isTrue();
    }

    @Test
    void an_interrupt_flag_that_handlers_leave_behind_ends_no_worker_and_fails_no_message() {
        InboxConsumer consumer = it.consume(it.sessions("orders"), (tx, message) -> {
            it.effect(tx, message);
            Thread.currentThread().interrupt();
            return Verdict.done();
        });

        for (int i = 0; i < 12; i++) {
            it.send("orders", "s" + i % 6, "m" + i);
        }

        it.awaitSettled("orders", 12);
        assertThat(it.effects()).hasSize(12).doesNotHaveDuplicates();
        assertThat(consumer.health().isHealthy()).isTrue();
    }

    @Test
    void a_listener_and_a_policy_that_throw_cost_no_message_its_end() {
        FailurePolicy broken = thrown -> {
            throw new NoClassDefFoundError("a class of the policy");
        };
        InboxConsumer consumer = it.consume(
                it.sessions("orders"),
                poisoned(Poison.OUT_OF_MEMORY),
                settings -> settings.failures(broken).listener(new BrokenListener()));

        it.send("orders", "bad", "poison");
        it.send("orders", "bad", "behind");

        it.awaitSettled("orders", 2);
        assertThat(it.effects()).containsExactly("behind");
        assertThat(it.bus.inspect("orders").deadLetters()).isOne();
        assertThat(consumer.health().isHealthy()).isTrue();
    }

    /** Fails with everything that it hears. */
    private static final class BrokenListener implements ConsumerListener {
        @Override
        public void received(InboundMessage message) {
            throw new AssertionError("received");
        }

        @Override
        public void settled(InboundMessage message, Outcome outcome) {
            Thread.currentThread().interrupt();
            throw new AssertionError("settled");
        }

        @Override
        public void failed(InboundMessage message, Throwable thrown, FailureKind kind) {
            throw new AssertionError("failed");
        }
    }

    @Test
    void a_gate_that_a_held_message_has_shut_opens_by_itself_although_nothing_arrives() {
        var calls = new AtomicInteger();
        var down = new AtomicBoolean(true);
        InboxConsumer consumer = it.consume(
                it.sessions("orders"),
                (tx, message) -> {
                    if (calls.incrementAndGet() == 1) {
                        return Verdict.retry(Duration.ofMillis(100));
                    }
                    if (down.get()) {
                        throw new SQLException("the server went away", "57P01");
                    }
                    return it.effect(tx, message);
                },
                SupervisionTest::quickErrands);
        it.send("orders", "s", "m1");
        await().pollInterval(Duration.ofMillis(5)).until(() -> consumer.health().databaseTrouble() != null);
        assertThat(consumer.health().databaseTrouble()).contains("the server went away");
        assertThat(consumer.health().isHealthy()).isFalse();

        down.set(false);

        await().until(() -> consumer.health().databaseTrouble() == null);
        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("m1"));
    }

    @Test
    @Tag("long")
    void an_idle_consumer_keeps_the_same_number_of_connections_and_acceptors() {
        InboxConsumer consumer = it.consume(it.sessions("orders").withSilence(Duration.ofMillis(400)), it::effect);
        await().until(() -> it.bus.inspect("orders").waitingForSession() == 4);
        int connections = it.bus.connectionCount();
        var most = new AtomicInteger();
        var looks = new AtomicInteger();

        // Several times the silence after which a connection is made anew.
        await().pollInterval(Duration.ofMillis(100)).until(() -> {
            most.accumulateAndGet(it.bus.connectionCount(), Math::max);
            return looks.incrementAndGet() == 30;
        });

        assertThat(most.get()).isLessThanOrEqualTo(connections + 1);
        await().until(() ->
                it.bus.inspect("orders").waitingForSession() == 4 && it.bus.connectionCount() == connections);
        it.send("orders", "s", "m1");
        it.awaitSettled("orders", 1);
        assertThat(it.effects()).containsExactly("m1");
        assertThat(consumer.health().isHealthy()).isTrue();
    }

    @Test
    void health_tells_what_lives_and_what_has_failed() {
        var closed = new AtomicBoolean();
        InboxConsumer consumer = it.consume(
                it.sessions("orders"),
                it::effect,
                settings -> settings.sessionHook(session -> {
                    if (!closed.getAndSet(true)) {
                        throw new NoClassDefFoundError("a class of the hook");
                    }
                }));
        it.send("orders", "s", "m1");
        it.awaitSettled("orders", 1);

        ConsumerHealth health = consumer.health();
        assertThat(health.running()).isTrue();
        assertThat(health.isHealthy()).isTrue();
        assertThat(health.loops())
                .extracting(ConsumerHealth.Loop::name)
                .contains("waybill-inbox-test-0", "waybill-inbox-test-watch", "waybill-inbox-test-alive");
        assertThat(health.loops())
                .filteredOn(loop -> loop.failures() > 0)
                .singleElement()
                .satisfies(loop -> {
                    assertThat(loop.lastFailure()).contains("a class of the hook");
                    assertThat(Optional.ofNullable(loop.lastFailureAge())).isPresent();
                });
        consumer.close();
        assertThat(consumer.health().running()).isFalse();
        assertThat(consumer.health().isHealthy()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    @Tag("long")
    void health_names_a_handler_that_does_not_heed_its_interruption_until_it_returns(int batch) {
        var end = new AtomicBoolean();
        InboxConsumer consumer = it.consume(
                it.sessions("orders"),
                (tx, message) -> {
                    while (message.id().equals("deaf") && !end.get()) {
                        // With the flag set it would not wait.
                        Thread.interrupted();
                        LockSupport.parkNanos(1_000_000);
                    }
                    return it.effect(tx, message);
                },
                settings -> settings.handlerTimeout(Duration.ofMillis(300)).batch(batch));
        it.send("orders", "s", "deaf");

        await().untilAsserted(() -> assertThat(consumer.health().hanging())
                .singleElement()
                .satisfies(handler -> {
                    assertThat(handler.messageId()).isEqualTo("deaf");
                    assertThat(handler.session()).isEqualTo("s");
                }));
        assertThat(consumer.health().isHealthy()).isFalse();
        end.set(true);

        await().until(() -> consumer.health().isHealthy());
    }

    private Handler poisoned(Poison poison) {
        return (tx, message) -> {
            if (message.id().equals("poison")) {
                it.effect(tx, message);
                poison.act();
            }
            return it.effect(tx, message);
        };
    }

    private static InboxConsumer.Builder quickErrands(InboxConsumer.Builder settings) {
        return settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50)))
                .onFailure(OnFailure.HOLD_SESSION)
                .retries(new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(20)));
    }
}
