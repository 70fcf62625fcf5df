package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Deferrals;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions that wait for each other, or do not, and locks that last as long as the broker says. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SessionsTest {
    private BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(
                database,
                broker -> broker.queue("plain")
                        .queue("orders", queue -> queue.requiresSession())
                        .queue(
                                "short",
                                queue -> queue.requiresSession()
                                        .lockDuration(Duration.ofSeconds(1))
                                        .maxDeliveryCount(3)));
    }

    @AfterEach
    void stop() {
        it.close();
    }

    @Test
    void an_empty_session_is_left_at_once_while_others_wait_for_a_worker() {
        int sessions = 40;
        try (var sender = it.client().sender().queueName("orders").buildClient()) {
            var messages = new ArrayList<ServiceBusMessage>();
            for (int i = 0; i < sessions; i++) {
                messages.add(new ServiceBusMessage("x").setMessageId("m" + i).setSessionId("s" + i));
            }
            sender.sendMessages(messages);
        }

        // Kept as long as that, four sessions would be handled and no more.
        it.consume(
                it.sessions("orders"),
                it::effect,
                settings -> settings.tuning(tuning -> tuning.sessionIdle(Duration.ofHours(1))));

        it.awaitSettled("orders", sessions);
        assertThat(it.effects()).hasSize(sessions).doesNotHaveDuplicates();
    }

    @Test
    void a_hook_that_leaves_the_interrupt_flag_set_keeps_no_session_from_being_handled() {
        InboxConsumer consumer = it.consume(
                it.sessions("orders"),
                it::effect,
                settings ->
                        settings.sessionHook(session -> Thread.currentThread().interrupt()));
        it.send("orders", "s1", "m1");
        it.send("orders", "s2", "m2");

        it.awaitSettled("orders", 2);
        assertThat(it.effects()).containsExactlyInAnyOrder("m1", "m2");
        assertThat(consumer.health().loops()).allMatch(loop -> loop.failures() == 0);
    }

    @Test
    void messages_of_an_entity_without_sessions_do_not_wait_for_each_other_whatever_session_they_name() {
        var together = new CyclicBarrier(2);
        it.consume(it.messages("plain"), (tx, message) -> {
            together.await(20, TimeUnit.SECONDS);
            return it.effect(tx, message);
        });
        it.send("plain", "same", "m1");
        it.send("plain", "same", "m2");

        it.awaitSettled("plain", 2);
        assertThat(it.effects()).containsExactlyInAnyOrder("m1", "m2");
    }

    @Test
    void an_empty_session_is_kept_as_long_as_a_worker_is_free() {
        it.consume(
                it.sessions("orders"),
                it::effect,
                settings -> settings.tuning(tuning -> tuning.sessionIdle(Duration.ofHours(1))));

        it.send("orders", "s", "m1");
        it.awaitSettled("orders", 1);
        it.send("orders", "s", "m2");
        it.awaitSettled("orders", 2);

        assertThat(it.bus.inspect("orders").sessions()).anyMatch(session -> session.locked());
    }

    @Test
    @Tag("long")
    void a_lock_that_was_stated_too_long_is_prolonged_in_time_and_costs_no_message_a_delivery() {
        it.consume(it.sessions("short").with(facts -> facts.withMaxDeliveryCount(10)), (tx, message) -> {
            if (message.id().equals("m1")) {
                // Longer than the lock lasts.
                assertThat(new CountDownLatch(1).await(1_800, TimeUnit.MILLISECONDS))
                        .isFalse();
            }
            return it.effect(tx, message);
        });
        await().until(() -> it.bus.inspect("short").waitingForSession() == 4);

        for (int i = 1; i <= 5; i++) {
            it.send("short", "s", "m" + i);
        }

        it.awaitSettled("short", 5);
        assertThat(it.effects()).containsExactly("m1", "m2", "m3", "m4", "m5");
        assertThat(it.bus.journal("short").deliveries()).hasSize(5);
    }

    @Test
    void a_held_message_that_hangs_delays_no_other_hold() throws Exception {
        var hangs = new CountDownLatch(1);
        var tries = new AtomicInteger();
        it.consume(
                it.sessions("orders"),
                (tx, message) -> {
                    if (tries.incrementAndGet() <= 3) {
                        return Verdict.retry(Duration.ofMillis(100));
                    }
                    if (message.id().equals("hangs")) {
                        assertThat(hangs.await(30, TimeUnit.SECONDS)).isTrue();
                    }
                    return it.effect(tx, message);
                },
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50))));

        it.send("orders", "s1", "hangs");
        it.send("orders", "s2", "m2");
        it.send("orders", "s3", "m3");

        await().untilAsserted(() -> assertThat(it.effects()).containsExactlyInAnyOrder("m2", "m3"));
        hangs.countDown();
        await().untilAsserted(() -> assertThat(it.effects()).hasSize(3));
        await().until(() -> InboxHolds.in(it.dataSource, it.schema).list().isEmpty());
    }

    @Test
    @Tag("long")
    void resumed_messages_keep_the_order_of_their_session_although_the_first_one_fails() {
        var early = new AtomicBoolean(true);
        var failures = new AtomicInteger();
        it.consume(
                it.sessions("orders"),
                (tx, message) -> {
                    if (early.get()) {
                        return Verdict.defer("k");
                    }
                    if (message.id().equals("m1") && failures.incrementAndGet() <= 2) {
                        throw new SQLException("not now", "40001");
                    }
                    return it.effect(tx, message);
                },
                // Each failure gives the session back.
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50)))
                        .retries(new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ZERO)));
        for (int i = 1; i <= 3; i++) {
            it.send("orders", "s", "m" + i);
        }
        await().until(() -> it.bus.inspect("orders").deferred() == 3);

        early.set(false);
        resume();

        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("m1", "m2", "m3"));
        assertThat(failures.get()).isGreaterThan(2);
    }

    @Test
    void the_owner_of_a_session_that_never_runs_dry_fetches_its_resumed_messages() {
        var early = new AtomicBoolean(true);
        var resumed = new AtomicBoolean();
        var hot = new AtomicInteger();
        var accepted = new AtomicInteger();
        it.consume(
                it.sessions("orders"),
                (tx, message) -> {
                    if (!message.id().equals("deferred")) {
                        // As long as it is not back, there is always one more.
                        if (!resumed.get()) {
                            it.send("orders", "s", "hot" + hot.incrementAndGet());
                        }
                        return it.effect(tx, message);
                    }
                    if (early.get()) {
                        return Verdict.defer("k");
                    }
                    resumed.set(true);
                    return it.effect(tx, message);
                },
                settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(50)))
                        .sessionHook(session -> accepted.incrementAndGet()));
        it.send("orders", "s", "deferred");
        await().until(() -> it.bus.inspect("orders").deferred() == 1);
        it.send("orders", "s", "hot0");
        await().until(() -> hot.get() > 5);
        int before = accepted.get();

        early.set(false);
        resume();

        await().untilAsserted(() -> assertThat(it.effects()).contains("deferred"));
        assertThat(accepted.get()).isEqualTo(before);
        await().until(() -> it.dsl.fetchCount(DSL.table(it.schema.table("inbox_deferral"))) == 0);
    }

    private void resume() {
        it.dsl.transaction(tx -> Deferrals.in(it.schema).resume(tx.dsl(), "test", "k"));
    }
}
