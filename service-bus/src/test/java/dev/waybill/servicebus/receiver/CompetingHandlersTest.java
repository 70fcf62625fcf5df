package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.inbox.Deferrals;
import dev.waybill.inbox.DeliveryPolicy;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.Verdict;
import dev.waybill.message.MessageContent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * All who may run a session's handler at the same time: its owner, owners that have lost it and do not know yet, its hold, the
 * fetching of deferred messages, and re-drives to the consumer.
 */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class CompetingHandlersTest {
    private static final int SESSIONS = 5;
    private static final int PER_SESSION = 40;
    private static final int REDRIVES = 6;

    private final Random random = new Random(7);
    private final Map<String, AtomicInteger> atWork = new ConcurrentHashMap<>();
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger stale = new AtomicInteger();
    private final AtomicInteger interrupts = new AtomicInteger();
    BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        it = new BusFixture(
                database,
                broker ->
                        broker.queue("orders", queue -> queue.requiresSession().maxDeliveryCount(1_000)));
    }

    @AfterEach
    void stop() {
        it.close();
    }

    @Test
    @Tag("long")
    void no_two_handlers_of_a_session_meet_and_its_messages_keep_their_order() {
        send();
        for (int consumer = 0; consumer < 2; consumer++) {
            it.consume(
                    it.sessions("orders").with(facts -> facts.withMaxDeliveryCount(1_000)),
                    this::handle,
                    settings -> settings.tuning(tuning -> tuning.backgroundPollInterval(Duration.ofMillis(20)))
                            .onFailure(OnFailure.HOLD_SESSION)
                            .deliveries(new DeliveryPolicy(900, 1_000, 900))
                            .retries(new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofMillis(40)))
                            .tuning(tuning -> tuning.sessionIdle(Duration.ofMillis(20))));
        }
        for (int redrive = 0; redrive < REDRIVES; redrive++) {
            int enough = SESSIONS * PER_SESSION * (redrive + 1) / (REDRIVES + 2);
            await().atMost(60, TimeUnit.SECONDS).until(() -> it.effects().size() >= enough);
            it.bus.expireLocks("orders");
            redrive("s" + redrive % SESSIONS, "r" + redrive);
            Deferrals.in(it.schema).resume(it.dsl, "test", "k");
        }

        await().atMost(60, TimeUnit.SECONDS).untilAsserted(() -> {
            Deferrals.in(it.schema).resume(it.dsl, "test", "k");
            assertThat(it.effects()).as(this::leftovers).hasSize(SESSIONS * PER_SESSION + REDRIVES);
        });
        // Nothing is resumed any more: a second copy of what was handled would stay.
        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(InboxHolds.in(it.dataSource, it.schema).list())
                                .isEmpty());

        assertThat(it.effects()).doesNotHaveDuplicates();
        assertThat(most).hasValue(1);
        assertThat(stale.get()).isPositive();
        assertThat(interrupts.get()).isPositive();
        for (int session = 0; session < SESSIONS; session++) {
            String name = "s" + session;
            assertThat(inOrder(it.effects(name))).containsExactlyElementsOf(expected(name));
        }
        assertThat(it.bus.inspect("orders").deadLetters()).isZero();
    }

    private String leftovers() {
        return InboxHolds.in(it.dataSource, it.schema).list() + "\n"
                + it.dsl.fetch("select * from " + it.schema.table("inbox_deferral")) + "\n" + it.bus.inspect("orders");
    }

    // A deferred message has its place when it is resumed; a re-driven one comes when it does.
    private static List<String> inOrder(List<String> effects) {
        return effects.stream()
                .filter(id -> !id.startsWith("r") && !isDeferred(id))
                .toList();
    }

    private static List<String> expected(String session) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < PER_SESSION; i++) {
            ids.add(session + "m" + i);
        }
        return inOrder(ids);
    }

    private static boolean isDeferred(String id) {
        return id.endsWith("7");
    }

    private Verdict handle(DSLContext tx, InboundMessage message) throws InterruptedException {
        String session = message.session().orElseThrow();
        int others =
                atWork.computeIfAbsent(session, name -> new AtomicInteger()).incrementAndGet();
        most.accumulateAndGet(others, Math::max);
        try {
            return judge(tx, message, calls.merge(message.id(), 1, Integer::sum));
        } finally {
            atWork.get(session).decrementAndGet();
        }
    }

    private Verdict judge(DSLContext tx, InboundMessage message, int call) throws InterruptedException {
        if (call > 1) {
            return it.effect(tx, message);
        }
        if (isDeferred(message.id())) {
            return Verdict.defer("k");
        }
        if (message.id().endsWith("3")) {
            return Verdict.retry(Duration.ofMillis(60));
        }
        if (message.id().endsWith("9")) {
            // The session is gone, and this handler hears of no interrupt.
            stale.incrementAndGet();
            it.bus.expireLocks("orders");
            goOnRegardless(Duration.ofMillis(80));
        }
        return it.effect(tx, message);
    }

    private void goOnRegardless(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        var never = new CountDownLatch(1);
        while (System.nanoTime() - end < 0) {
            try {
                if (never.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                // Swallowed, as some libraries do.
                interrupts.incrementAndGet();
            }
        }
    }

    private void send() {
        try (var sender = it.client().sender().queueName("orders").buildClient()) {
            for (int i = 0; i < PER_SESSION; i++) {
                var messages = new ArrayList<ServiceBusMessage>();
                for (int session = 0; session < SESSIONS; session++) {
                    messages.add(new ServiceBusMessage("x")
                            .setMessageId("s" + session + "m" + i)
                            .setSessionId("s" + session));
                }
                sender.sendMessages(messages);
            }
        }
    }

    /** As a dead letter comes back to one consumer. */
    private void redrive(String session, String id) {
        it.dsl.transaction(tx -> {
            var table = HoldTable.in(it.schema, HoldSide.INBOX);
            long hold = table.join(tx.dsl(), HoldKey.session(HoldSide.INBOX, "test", session));
            var origin = new HeldMessage.Origin(1_000_000 + random.nextInt(1_000_000), Instant.EPOCH, 3);
            table.add(tx.dsl(), hold, origin, MessageContent.of(id, session, new byte[0]));
        });
    }
}
