package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.BrokerSession;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.DeliveryPolicy;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.SessionHook;
import dev.waybill.inbox.Verdict;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Queues and subscriptions, with and without sessions, in good and in bad weather. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class SourcesTest {
    private BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(
                database,
                broker -> broker.queue("tasks")
                        .queue("orders", queue -> queue.requiresSession())
                        .queue("brief", queue -> queue.lockDuration(Duration.ofSeconds(1)))
                        .topic(
                                "events",
                                topic -> topic.subscription("plain")
                                        .subscription("ordered", subscription -> subscription.requiresSession())));
    }

    @AfterEach
    void stop() {
        it.close();
    }

    @Test
    @Tag("long")
    void messages_without_sessions_have_one_effect_each() {
        IntStream.range(0, 40).forEach(i -> it.send("tasks", "", "m" + i));

        it.consume(it.messages("tasks"), it::effect);
        it.awaitSettled("tasks", 40);

        assertThat(it.effects()).hasSize(40).doesNotHaveDuplicates();
        assertThat(it.bus.journal("tasks").deliveries()).hasSize(40);
    }

    @Test
    void subscriptions_with_and_without_sessions_are_consumed_side_by_side() {
        try (var sender = it.client().sender().topicName("events").buildClient()) {
            for (int i = 0; i < 6; i++) {
                var message = new ServiceBusMessage("x").setMessageId("m" + i);
                sender.sendMessage(message.setSessionId("s" + i % 2));
            }
        }

        it.consume(
                ServiceBusSource.ofSubscription(it::client, "events", "plain"),
                it::effect,
                settings -> settings.name("plain"));
        it.consume(
                ServiceBusSource.ofSubscription(it::client, "events", "ordered").withSessions(),
                it::effect,
                settings -> settings.name("ordered"));

        await().untilAsserted(() -> assertThat(it.effects()).hasSize(12));
        await().untilAsserted(() -> {
            assertThat(it.bus.inspect("events/Subscriptions/plain").active()).isZero();
            assertThat(it.bus.inspect("events/Subscriptions/ordered").active()).isZero();
        });
    }

    @Test
    void a_poison_message_without_session_is_abandoned_and_then_dead_lettered_with_its_reason() {
        it.send("tasks", "", "poison");

        it.consume(
                it.messages("tasks"),
                (tx, message) -> {
                    throw new IllegalStateException("always");
                },
                settings -> settings.deliveries(new DeliveryPolicy(3, 10, 3)));
        it.awaitSettled("tasks", 1);

        assertThat(it.bus.journal("tasks").deliveries()).hasSize(3);
        assertThat(it.receiveDeadLetter("tasks").getDeadLetterReason()).isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void what_is_deleted_on_receipt_is_dropped_when_it_fails_and_handled_once_when_not() {
        var outcomes = new CopyOnWriteArrayList<String>();
        it.send("tasks", "", "good");
        it.send("tasks", "", "poison");

        it.consume(
                it.messages("tasks").with(facts -> facts.deletingOnReceive()),
                (tx, message) -> {
                    if (message.id().equals("poison")) {
                        throw new IllegalStateException("lost, and that is all right");
                    }
                    return it.effect(tx, message);
                },
                settings -> settings.listener(new ConsumerListener() {
                    @Override
                    public void settled(InboundMessage message, Outcome outcome) {
                        outcomes.add(message.id() + " " + outcome);
                    }
                }));
        it.awaitSettled("tasks", 2);

        await().untilAsserted(() -> assertThat(outcomes).containsExactlyInAnyOrder("good DONE", "poison DROPPED"));
        assertThat(it.effects()).containsExactly("good");
        assertThat(it.bus.inspect("tasks").deadLetters()).isZero();
    }

    @Test
    @Tag("long")
    void a_lock_is_prolonged_for_a_handler_that_outlasts_it() {
        it.send("brief", "", "m1");

        it.consume(it.messages("brief").with(facts -> facts.withLockDuration(Duration.ofSeconds(1))), (tx, message) -> {
            Thread.sleep(2_500);
            return it.effect(tx, message);
        });
        it.awaitSettled("brief", 1);

        assertThat(it.bus.journal("brief").deliveries()).hasSize(1);
        assertThat(it.effects()).containsExactly("m1");
    }

    @Test
    void a_lost_session_interrupts_its_handler_and_the_next_owner_applies_the_message_once() throws Exception {
        var inHandler = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var lost = new CountDownLatch(1);
        it.send("orders", "s", "m1");
        it.send("orders", "s", "m2");
        it.consume(
                it.sessions("orders"),
                (tx, message) -> {
                    it.effect(tx, message);
                    if (interrupted.getCount() > 0) {
                        inHandler.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            interrupted.countDown();
                            throw e;
                        }
                    }
                    return Verdict.done();
                },
                settings -> settings.listener(new ConsumerListener() {
                    @Override
                    public void lockLost(InboundMessage message) {
                        lost.countDown();
                    }
                }));
        assertThat(inHandler.await(10, TimeUnit.SECONDS)).isTrue();
        it.consume(it.sessions("orders"), it::effect);
        it.bus.expireLocks("orders");
        it.awaitSettled("orders", 2);

        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(it.effects()).containsExactly("m1", "m2");
    }

    @Test
    void a_message_whose_lock_is_lost_while_two_consumers_work_on_it_has_one_effect() {
        it.send("brief", "", "m1");
        for (int i = 0; i < 2; i++) {
            it.consume(
                    it.messages("brief").with(facts -> facts.withLockDuration(Duration.ofSeconds(1))),
                    (tx, message) -> {
                        it.effect(tx, message);
                        if (it.bus.journal("brief").deliveryCount() < 2) {
                            it.bus.expireLocks("brief");
                            // Deaf to interrupts, it goes on beside the second delivery.
                            await().pollInSameThread()
                                    .until(() -> it.bus.journal("brief").deliveryCount() >= 2);
                        }
                        return Verdict.done();
                    });
        }
        it.awaitSettled("brief", 1);

        assertThat(it.bus.journal("brief").deliveryCount()).isGreaterThanOrEqualTo(2);
        assertThat(it.effects()).containsExactly("m1");
    }

    @Test
    @Tag("long")
    void a_broker_that_goes_away_is_found_again() {
        it.consume(it.sessions("orders"), it::effect);
        it.consume(it.messages("tasks"), it::effect, settings -> settings.name("tasks"));
        it.send("orders", "s", "m1");
        it.send("tasks", "", "t1");
        it.awaitSettled("orders", 1);
        it.awaitSettled("tasks", 1);

        it.bus.suspend();
        // Somebody may have the port for a moment.
        await().ignoreExceptions().until(() -> {
            it.bus.resume();
            return true;
        });
        it.send("orders", "s", "m2");
        it.send("tasks", "", "t2");

        it.awaitSettled("orders", 2);
        it.awaitSettled("tasks", 2);
        assertThat(it.effects()).containsExactlyInAnyOrder("m1", "t1", "m2", "t2");
    }

    @Test
    void a_throttling_broker_is_given_time() {
        it.bus
                .faults()
                .at(FaultPoint.BEFORE_SETTLE)
                .entity("orders")
                .times(2)
                .then(FaultAction.reject(BrokerError.SERVER_BUSY));
        it.bus
                .faults()
                .at(FaultPoint.ATTACH)
                .entity("orders")
                .operation("receive")
                .times(2)
                .then(FaultAction.reject(BrokerError.SERVER_BUSY));
        it.send("orders", "s", "m1");

        it.consume(it.sessions("orders"), it::effect);
        it.awaitSettled("orders", 1);

        assertThat(it.effects()).containsExactly("m1");
    }

    @Test
    @Tag("long")
    void batches_keep_the_order_of_every_session_and_redeliveries_have_no_effect() {
        it.bus
                .faults()
                .at(FaultPoint.BEFORE_SETTLE)
                .entity("orders")
                .after(30)
                .times(2)
                .then(FaultAction.dropConnection());
        for (int i = 0; i < 100; i++) {
            it.send("orders", "s" + i % 3, "m" + i);
        }

        it.consume(it.sessions("orders"), it::effect, settings -> settings.batch(20));
        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(it.effects()).hasSize(100));
        it.bus.expireLocks("orders");
        it.awaitSettled("orders", 100);

        for (int s = 0; s < 3; s++) {
            int session = s;
            assertThat(it.effects("s" + s))
                    .containsExactlyElementsOf(IntStream.range(0, 100)
                            .filter(i -> i % 3 == session)
                            .mapToObj(i -> "m" + i)
                            .toList());
        }
    }

    @Test
    @Tag("long")
    void a_receiver_that_has_gone_silent_is_made_anew() {
        it.bus.faults().at(FaultPoint.BEFORE_DELIVER).entity("brief").times(1).then(FaultAction.swallow());
        it.send("brief", "", "m1");

        it.consume(
                it.messages("brief"),
                it::effect,
                settings -> settings.concurrency(1).tuning(tuning -> tuning.receiverTimeout(Duration.ofSeconds(2))));
        it.awaitSettled("brief", 1);

        assertThat(it.effects()).containsExactly("m1");
    }

    @Test
    @Tag("long")
    void more_sessions_than_one_connection_bears_are_spread_over_several() throws InterruptedException {
        int sessions = 260;
        List<Integer> numbers = IntStream.range(0, sessions).boxed().toList();
        try (var sender = it.client().sender().queueName("orders").buildClient()) {
            numbers.forEach(i -> sender.sendMessage(
                    new ServiceBusMessage("x").setMessageId("m" + i).setSessionId("s" + i)));
        }

        var accepted = new CountDownLatch(sessions);
        var allAreHeld = new CountDownLatch(1);
        SessionHook hook = session -> {
            accepted.countDown();
            await().atMost(60, TimeUnit.SECONDS).until(() -> allAreHeld.getCount() == 0);
        };

        it.consume(
                it.sessions("orders"),
                it::effect,
                settings -> settings.concurrency(sessions + 1).sessionHook(hook));
        assertThat(accepted.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(it.bus.inspect("orders").sessions().stream()
                        .filter(session -> session.locked())
                        .count())
                .isEqualTo(sessions);
        assertThat(it.bus.connectionCount()).isGreaterThanOrEqualTo(3);
        allAreHeld.countDown();

        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(it.effects()).hasSize(sessions));
    }

    @Test
    void the_brokers_session_state_is_there_before_the_first_message_and_for_the_next_owner() {
        var log = new CopyOnWriteArrayList<String>();
        var hook = new SessionHook() {
            @Override
            public void accepted(BrokerSession session) {
                log.add("accepted " + session.id() + " "
                        + session.state()
                                .map(state -> new String(state, StandardCharsets.UTF_8))
                                .orElse("without state"));
            }

            @Override
            public void releasing(BrokerSession session) {
                // On a busy machine a session may be left before its message has come, and is accepted once more.
                if (!it.effects().isEmpty()) {
                    String seen = String.join(",", it.effects());
                    session.store(seen.getBytes(StandardCharsets.UTF_8));
                    if (seen.contains("m3")) {
                        session.clear();
                    }
                }
            }
        };
        it.consume(
                it.sessions("orders"),
                it::effect,
                settings -> settings.sessionHook(hook)
                        .tuning(tuning -> tuning.sessionIdle(Duration.ofMillis(50)))
                        .concurrency(1));
        for (int i = 1; i <= 4; i++) {
            int accepted = i;
            it.send("orders", "s", "m" + i);
            await().until(() -> it.effects().size() == accepted
                    && it.bus.inspect("orders").sessions().stream().noneMatch(session -> session.locked()));
        }

        assertThat(withoutRepeats(log))
                .containsExactly(
                        "accepted s without state", "accepted s m1", "accepted s m1,m2", "accepted s without state");
    }

    private static List<String> withoutRepeats(List<String> entries) {
        var last = new ArrayDeque<String>();
        for (String entry : entries) {
            if (!entry.equals(last.peekLast())) {
                last.add(entry);
            }
        }
        return List.copyOf(last);
    }

    @Test
    void configurations_that_cannot_work_are_refused() {
        var source = it.messages("tasks");
        assertThatThrownBy(() -> consumer()
                        .source(source.with(facts -> facts.withPrefetch(1)))
                        .build())
                .hasMessageContaining("prefetch");
        assertThatThrownBy(() -> consumer()
                        .source(source.with(facts -> facts.withMaxDeliveryCount(4)))
                        .build())
                .hasMessageContaining("maximum delivery count");
        assertThatThrownBy(() -> consumer()
                        .source(source)
                        .tuning(tuning -> tuning.lockTimeout(Duration.ofMinutes(2)))
                        .build())
                .hasMessageContaining("lockTimeout");
        assertThatThrownBy(() -> consumer().build()).hasMessageContaining("source");
        assertThatThrownBy(() -> consumer().source(source).name(" ").build()).hasMessageContaining("name");
        consumer()
                .source(source.with(facts -> facts.withPrefetch(4)))
                .handlerTimeout(Duration.ofSeconds(10))
                .build();
    }

    private InboxConsumer.Builder consumer() {
        return InboxConsumer.builder(it.dataSource).name("test").handler(it::effect);
    }
}
