package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Deferrals;
import dev.waybill.inbox.DeliveryPolicy;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.Verdict;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls of the hook as sessions come and go. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SessionHookTest {
    private BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(database, broker -> broker.queue("orders", queue -> queue.requiresSession()));
    }

    @AfterEach
    void stop() {
        it.close();
    }

    @Test
    void sessions_whose_hook_always_fails_come_to_an_end_and_the_others_go_on() {
        var failures = new AtomicInteger();
        InboxConsumer consumer = it.consume(
                it.sessions("orders"),
                it::effect,
                settings -> settings.deliveries(new DeliveryPolicy(5, 3, 3)).sessionHook(session -> {
                    if (session.id().startsWith("bad")) {
                        failures.incrementAndGet();
                        throw new IllegalStateException("no such session anywhere");
                    }
                }));
        for (int i = 0; i < 6; i++) {
            it.send("orders", "bad" + i, "first of bad" + i);
            it.send("orders", "bad" + i, "second of bad" + i);
        }
        await().until(() -> failures.get() >= 6);
        it.send("orders", "good", "m1");
        it.send("orders", "good", "m2");

        await().until(() -> it.bus.inspect("orders").deadLetters() == 12);
        it.awaitSettled("orders", 14);
        assertThat(it.effects()).containsExactly("m1", "m2");
        assertThat(failures.get()).isGreaterThanOrEqualTo(36);
        assertThat(consumer.health().loops())
                .anyMatch(loop -> loop.failures() > 0
                        && String.valueOf(loop.lastFailure()).contains("no such session anywhere"));
        assertThat(it.receiveDeadLetter("orders").getDeadLetterReason()).isEqualTo("SessionHookFailed");
    }

    @Test
    void a_hook_is_told_of_a_session_too_that_is_accepted_for_a_resumed_message() {
        var told = new CopyOnWriteArrayList<String>();
        var early = new AtomicBoolean(true);
        it.consume(
                it.sessions("orders"),
                (tx, message) -> early.get() ? Verdict.defer("k") : it.effect(tx, message),
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50)))
                        .sessionHook(session -> told.add(session.id())));
        it.send("orders", "s", "m1");
        await().until(() -> it.bus.inspect("orders").deferred() == 1
                && it.bus.inspect("orders").sessions().stream().noneMatch(session -> session.locked()));
        told.clear();
        early.set(false);

        it.dsl.transaction(tx -> Deferrals.in(it.schema).resume(tx.dsl(), "test", "k"));

        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("m1"));
        assertThat(told).containsExactly("s");
    }
}
