package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.Hold;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.receiver.ConsumerProcess.End;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three consumers in processes of their own, which die, lose locks and lose answers all the time. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class KilledConsumersTest {
    private static final int PER_SESSION = 8;

    private final Random random = new Random(42);
    private final List<Process> processes = new ArrayList<>();
    private TestDatabase database;
    private ConsumerProcess.Settings settings;
    private BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        this.database = database;
        it = new BusFixture(
                database,
                broker -> broker.faultSeed(42)
                        .queue(
                                "orders",
                                queue -> queue.requiresSession()
                                        .lockDuration(ConsumerProcess.LOCK)
                                        .maxDeliveryCount(2_000)));
        settings = new ConsumerProcess.Settings(database.schema(), it.bus.connectionString(), 1, 3, managed());
    }

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        it.close();
    }

    @Test
    void every_effect_happens_once_and_in_order_whatever_dies() throws Exception {
        for (int i = 0; i < PER_SESSION; i++) {
            sendToAll(i);
        }
        fault(FaultPoint.BEFORE_SETTLE, 0.02, FaultAction.swallow());
        fault(FaultPoint.SETTLED_BEFORE_ACK, 0.01, FaultAction.dropConnection());
        fault(FaultPoint.BEFORE_DELIVER, 0.02, FaultAction.deliverTwice());
        fault(FaultPoint.DELIVERED, 0.01, FaultAction.expireLock());
        for (int i = 0; i < processes(); i++) {
            processes.add(process());
        }

        for (int kill = 0; kill < kills(); kill++) {
            int enough = sessions() * PER_SESSION * (kill + 1) / (kills() + 2);
            await().atMost(150, TimeUnit.SECONDS).until(() -> it.effects().size() >= enough);
            int victim = random.nextInt(processes.size());
            processes.get(victim).destroyForcibly().waitFor();
            processes.set(victim, process());
            it.bus.expireLocks("orders");
        }
        it.bus.faults().clear();

        await().atMost(90, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(it.bus.inspect("orders").active()).isZero());
        var expected = new ArrayList<String>();
        for (int i = 0; i < PER_SESSION; i++) {
            expected.add("m" + i);
        }
        for (int session = 0; session < sessions(); session++) {
            int number = session;
            assertThat(it.effects("s" + session))
                    .containsExactlyElementsOf(
                            expected.stream().map(id -> "s" + number + id).toList());
        }
        assertThat(it.bus.inspect("orders").deadLetters()).isZero();
        assertThat(holds()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = End.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NEVER", "AT_THE_THIRD_OF_A_BATCH"})
    @Tag("long")
    void a_process_that_dies_at_any_point_leaves_nothing_lost_and_nothing_twice(End end) throws Exception {
        it.send("orders", "s", "m1");
        it.send("orders", "s", "m2");
        processes.add(settings.start(database.server().jdbcUrl(), end));
        await().atMost(60, TimeUnit.SECONDS).until(() -> !processes.get(0).isAlive());

        try (var next = settings.consumer(it.dataSource, End.NEVER)) {
            next.start();
            it.awaitSettled("orders", 2);
        }

        assertThat(it.effects()).containsExactly("m1", "m2");
    }

    @Test
    @Tag("long")
    void a_message_that_kills_its_process_is_parked_in_the_end_and_only_its_session_waits() throws Exception {
        settings = new ConsumerProcess.Settings(database.schema(), it.bus.connectionString(), 1, starts(), managed());
        it.send("orders", "s", "kills");
        it.send("orders", "s", "m2");
        processes.add(process());

        await().atMost(240, TimeUnit.SECONDS).until(() -> {
            if (!processes.get(0).isAlive()) {
                timePassesForTheDead();
                processes.set(0, process());
            }
            return holds().size() == 1;
        });
        it.send("orders", "other", "m1");
        await().untilAsserted(() -> assertThat(it.effects()).containsExactly("m1"));

        Hold hold = holds().get(0);
        assertThat(hold.key().session()).isEqualTo("s");
        assertThat(hold.cause().reason()).isEqualTo("ProcessStopped");
        await().untilAsserted(() -> assertThat(holds().get(0).messages()).isEqualTo(2));
    }

    // As long as the dead one counts as alive no start is counted: processes would be ended in vain for ten seconds.
    private void timePassesForTheDead() {
        it.dsl.execute("update " + it.schema.table("inbox_instance")
                + " set alive_until = alive_until - interval '10 seconds'");
    }

    private List<Hold> holds() {
        return InboxHolds.in(it.dataSource, it.schema).list();
    }

    private void fault(FaultPoint point, double probability, FaultAction action) {
        it.bus
                .faults()
                .at(point)
                .entity("orders")
                .probability(probability)
                .times(30)
                .then(action);
    }

    private void sendToAll(int number) {
        try (var sender = it.client().sender().queueName("orders").buildClient()) {
            var messages = new ArrayList<ServiceBusMessage>();
            for (int session = 0; session < sessions(); session++) {
                messages.add(new ServiceBusMessage("x")
                        .setMessageId("s" + session + "m" + number)
                        .setSessionId("s" + session));
            }
            sender.sendMessages(messages);
        }
    }

    private Process process() throws IOException {
        return settings.start(database.server().jdbcUrl(), End.NEVER);
    }

    int sessions() {
        return 100;
    }

    int kills() {
        return 2;
    }

    int processes() {
        return 2;
    }

    /** How many processes a message may end. */
    int starts() {
        return 3;
    }

    /** Whether another manager has the transactions. */
    boolean managed() {
        return false;
    }
}
