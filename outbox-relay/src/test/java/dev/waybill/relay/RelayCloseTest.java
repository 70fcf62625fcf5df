package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Relays that are closed by threads which cannot wait as usual: interrupted ones, and the relay's own. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayCloseTest {
    private final SlowBroker broker = new SlowBroker();
    private final Set<Thread> before = threadsOfRelays();
    private TestDatabase database;
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        outbox = new OutboxFixture(database);
    }

    /** Its beats would count it among the living for ever, and no alarm could say that nobody publishes. */
    @Test
    void an_interrupted_close_lets_the_send_arrive_and_leaves_neither_thread_nor_beat() throws Exception {
        Relay relay = relay().start();
        outbox.append("s", "m1");
        broker.asked.await();

        var closing = closingInterrupted(relay);
        await().until(() -> isWaitingOrOver(closing.thread));
        closing.thread.interrupt();
        broker.answer.complete(PublishResult.accepted(1));

        assertThat(closing.interruptedAfter.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(broker.closedAfterAnswer).isCompletedWithValue(true);
        assertThat(broker.closedUnderInterrupt).isCompletedWithValue(false);
        assertThat(relaysAlive()).isZero();
        assertThat(lanesOwned()).isZero();
        assertThat(threadsLeft()).isEmpty();
    }

    @Test
    void an_interrupted_close_after_single_turns_gives_the_lanes_back() throws Exception {
        broker.answer.complete(PublishResult.accepted(1));
        outbox.append("s", "m1");
        Relay relay = relay().build();
        assertThat(relay.publishCommitted()).isEqualTo(1);

        var closing = closingInterrupted(relay);

        assertThat(closing.interruptedAfter.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(broker.closedUnderInterrupt).isCompletedWithValue(false);
        assertThat(relaysAlive()).isZero();
        assertThat(lanesOwned()).isZero();
    }

    /** It would wait for itself, as long as the longest send and a lease take together. */
    @Test
    void a_publisher_that_closes_its_relay_gets_on_and_the_relay_ends() throws Exception {
        Relay relay = relay().build();
        var back = new CountDownLatch(1);
        broker.onPublish = shipment -> {
            relay.close();
            back.countDown();
        };
        relay.start();
        outbox.append("s", "m1");

        assertThat(back.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(broker.closedAfterAnswer).isNotDone();
        broker.answer.complete(PublishResult.accepted(1));

        assertThat(broker.closedAfterAnswer.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(relaysAlive()).isZero();
        assertThat(lanesOwned()).isZero();
    }

    @Test
    void a_publisher_that_closes_its_relay_in_a_single_turn_ends_it_after_the_turn() throws Exception {
        Relay relay = relay().build();
        broker.onPublish = shipment -> relay.close();
        broker.answer.complete(PublishResult.accepted(1));
        outbox.append("s", "m1");

        assertThat(relay.publishCommitted()).isEqualTo(1);

        assertThat(broker.closedAfterAnswer.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(relaysAlive()).isZero();
        assertThat(lanesOwned()).isZero();
    }

    private Closing closingInterrupted(Relay relay) {
        var after = new CompletableFuture<Boolean>();
        var thread = new Thread(() -> {
            Thread.currentThread().interrupt();
            relay.close();
            after.complete(Thread.interrupted());
        });
        thread.start();
        return new Closing(thread, after);
    }

    private record Closing(Thread thread, CompletableFuture<Boolean> interruptedAfter) {}

    private static boolean isWaitingOrOver(Thread thread) {
        return Set.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED).contains(thread.getState());
    }

    private static Set<Thread> threadsOfRelays() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("waybill-relay-"))
                .collect(Collectors.toSet());
    }

    private Set<Thread> threadsLeft() {
        Set<Thread> left = threadsOfRelays();
        left.removeAll(before);
        return left;
    }

    private int relaysAlive() {
        return count("select count(*) from " + outbox.schema.table("relay_liveness") + " where alive");
    }

    private int lanesOwned() {
        return count("select count(owner) from " + outbox.schema.table("outbox_lane"));
    }

    private int count(String sql) {
        return outbox.dsl.fetchSingle(sql).get(0, Integer.class);
    }

    private Relay.Builder relay() {
        return Relay.builder(database.dataSource())
                .schema(outbox.schema)
                .publisher(broker)
                .destination(OutboxFixture.DESTINATION)
                .leaseDuration(Duration.ofSeconds(30));
    }

    /** Answers when the test says so, and remembers how it was closed. */
    private static final class SlowBroker implements Publisher {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CompletableFuture<PublishResult> answer = new CompletableFuture<>();
        private final CompletableFuture<Boolean> closedAfterAnswer = new CompletableFuture<>();
        private final CompletableFuture<Boolean> closedUnderInterrupt = new CompletableFuture<>();
        private Consumer<Shipment> onPublish = shipment -> {};

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            asked.countDown();
            onPublish.accept(shipment);
            return answer;
        }

        @Override
        public void close() {
            closedUnderInterrupt.complete(Thread.currentThread().isInterrupted());
            closedAfterAnswer.complete(answer.isDone());
        }
    }
}
