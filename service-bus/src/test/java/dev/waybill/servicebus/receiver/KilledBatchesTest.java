package dev.waybill.servicebus.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.servicebus.receiver.ConsumerProcess.End;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Consumers in processes of their own that handle several messages in one transaction, and die. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class KilledBatchesTest {
    private static final int BATCH = 5;
    private static final int PER_SESSION = 15;
    private static final int MOST_SESSIONS_ALONE = 10;

    private final List<Process> processes = new ArrayList<>();
    private TestDatabase database;
    private ConsumerProcess.Settings settings;
    private BusFixture it;

    @BeforeEach
    void start(TestDatabase database) {
        this.database = database;
        it = new BusFixture(
                database,
                broker -> broker.queue(
                        "orders",
                        queue -> queue.requiresSession()
                                .lockDuration(ConsumerProcess.LOCK)
                                .maxDeliveryCount(2_000)));
        settings = new ConsumerProcess.Settings(database.schema(), it.bus.connectionString(), BATCH, 3, managed());
    }

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        it.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = End.class,
            names = {"AT_THE_THIRD_OF_A_BATCH", "AFTER_COMMIT"})
    @Tag("long")
    void a_process_that_dies_in_or_after_a_batch_leaves_nothing_lost_and_nothing_twice(End end) throws Exception {
        send("s", expected("s"));
        processes.add(process(end));
        await().atMost(60, TimeUnit.SECONDS).until(() -> !processes.get(0).isAlive());
        // How many messages a batch has depends on how many had come.
        assertThat(it.effects()).hasSizeLessThan(PER_SESSION);

        try (var next = settings.consumer(it.dataSource, End.NEVER)) {
            next.start();
            it.awaitSettled("orders", PER_SESSION);
        }

        assertThat(it.effects()).containsExactlyElementsOf(expected("s"));
    }

    @Test
    @Tag("long")
    void effects_of_batches_happen_once_and_in_order_whatever_dies() throws Exception {
        for (int session = 0; session < sessions(); session++) {
            send("s" + session, expected("s" + session));
        }
        processes.add(process(End.NEVER));
        processes.add(process(End.NEVER));

        for (int kill = 0; kill < kills(); kill++) {
            int enough = sessions() * PER_SESSION * (kill + 1) / (kills() + 2);
            await().atMost(150, TimeUnit.SECONDS).until(() -> {
                forgetTheDead();
                return it.effects().size() >= enough;
            });
            processes.get(kill % 2).destroyForcibly().waitFor();
            it.dsl.execute("delete from " + it.schema.table("inbox_instance"));
            processes.set(kill % 2, process(End.NEVER));
            it.bus.expireLocks("orders");
        }
        awaitNothingLeft();

        for (int session = 0; session < sessions(); session++) {
            assertThat(it.effects("s" + session)).containsExactlyElementsOf(expected("s" + session));
        }
        sendUntilABatchIsHandled();
    }

    private void awaitNothingLeft() {
        await().atMost(90, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(it.bus.inspect("orders").active()).isZero());
    }

    // A batch has what had come by then, and what a dead process had in its hands is handled alone.
    private void sendUntilABatchIsHandled() {
        for (int more = 0; !hasBatches(); more++) {
            assertThat(more).as("sessions that were handled message by message").isLessThan(MOST_SESSIONS_ALONE);
            forgetTheDead();
            send("more" + more, expected("more" + more));
            awaitNothingLeft();
        }
    }

    private boolean hasBatches() {
        return !it.dsl
                .fetch("select xmin from " + it.schema.table("effect") + " group by xmin having count(*) > 1")
                .isEmpty();
    }

    // Else one that is dead, or whose sign of life is late on a busy machine, puts every message under suspicion, and
    // each is handled alone.
    private void forgetTheDead() {
        it.dsl.execute("delete from " + it.schema.table("inbox_instance") + " where alive_until < clock_timestamp()");
    }

    private static List<String> expected(String session) {
        return IntStream.range(0, PER_SESSION).mapToObj(i -> session + "-" + i).toList();
    }

    private void send(String session, List<String> ids) {
        try (var sender = it.client().sender().queueName("orders").buildClient()) {
            var messages = new ArrayList<ServiceBusMessage>();
            for (String id : ids) {
                messages.add(new ServiceBusMessage("x").setMessageId(id).setSessionId(session));
            }
            sender.sendMessages(messages);
        }
    }

    private Process process(End end) throws IOException {
        return settings.start(database.server().jdbcUrl(), end);
    }

    int sessions() {
        return 40;
    }

    int kills() {
        return 3;
    }

    /** Whether another manager has the transactions. */
    boolean managed() {
        return false;
    }
}
