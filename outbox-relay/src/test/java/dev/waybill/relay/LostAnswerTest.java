package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Wakes and answers that come at the worst moment: none is slept through, and none is told for ever. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LostAnswerTest {
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(8);
    private static final AuditContext BY_ANNA = new AuditContext("anna", "the limit was raised");

    private final RecordingPublisher broker = new RecordingPublisher();
    private final AtomicBoolean dead = new AtomicBoolean();
    private OutboxFixture outbox;
    private Holds holds;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        holds = Holds.ofOutbox(database.dataSource(), outbox.schema);
    }

    private DestinationLoop loop(RelayUnderTest relay, Duration longestIdle) {
        return outbox.loop(relay, LOOK_INTERVAL, longestIdle);
    }

    private void hold(RelayUnderTest relay, String session, String... rows) {
        broker.refuse(rows[0]);
        outbox.append(session, rows);
        relay.run();
        outbox.clock.advanceMillis(60);
        relay.run();
        broker.takeEverything();
        holds.release(HoldKey.session(HoldSide.OUTBOX, OutboxFixture.DESTINATION, session), BY_ANNA);
    }

    @Test
    void an_answer_within_a_step_that_failed_ends_one_rest_and_not_all_that_follow() {
        var relay = outbox.relay(broker, WatchedConnections.failing(outbox.dsl, dead::get))
                .started();
        var loop = loop(relay, Duration.ofMillis(500));
        loop.step();
        hold(relay, "held", "poison");
        outbox.append("s", "m1");
        broker.behave(shipment -> {
            dead.set(true);
            return PublishResult.accepted(shipment.rows().size());
        });
        loop.wake();
        outbox.clock.advanceMillis(1000);
        loop.step();
        assertThat(dead).isTrue();
        outbox.arrivals.set(0);

        IntStream.range(0, 10).forEach(i -> loop.step());

        assertThat(outbox.arrivals).hasValue(0);
    }

    @Test
    void a_held_messages_answer_is_there_when_the_loop_is_told_of_it() {
        var slow = new HeldBackPublisher(
                broker, shipment -> shipment.rows().get(0).brokerMessageId().equals("poison") && !dead.get());
        dead.set(true);
        var relay = outbox.relay(slow).started();
        hold(relay, "held", "poison");
        dead.set(false);
        outbox.clock.advanceMillis(1000);
        relay.turn().step(true);
        var quiet = new AtomicBoolean();
        outbox.onArrival = () -> {
            relay.turn().step(false);
            quiet.set(relay.turn().isQuiet());
        };

        slow.answer();

        assertThat(broker.arrived()).contains("poison");
        assertThat(quiet).isTrue();
    }

    @Test
    void the_publisher_is_ready_when_the_loop_is_told_so() {
        var connecting = new CompletableFuture<Void>();
        var relay = outbox.relay(new PreparedPublisher(connecting)).started();
        var ready = new ArrayList<Boolean>();
        var unused = relay.turn().prepare();
        outbox.onArrival = () -> ready.add(relay.turn().prepare().isDone());

        connecting.complete(null);

        await().until(() -> !ready.isEmpty());
        assertThat(ready).containsExactly(true);
    }

    @Test
    void a_commit_that_was_told_of_during_a_breakers_rest_is_sent_when_it_is_over() {
        var relay = outbox.relay(broker).started();
        var loop = loop(relay, Duration.ofMinutes(1));
        loop.step();
        outbox.clock.advanceMillis(100);
        for (int i = 0; i < 6; i++) {
            relay.sender()
                    .breaker()
                    .report(new PublishResult(
                            0, Outcome.DESTINATION_REFUSED, new IllegalStateException("no such queue")));
            if (i < 5) {
                outbox.clock.advanceMillis(
                        relay.sender().breaker().rest().plusMillis(1).toMillis());
            }
        }
        loop.step();
        outbox.append("s", "m1");
        loop.wake();
        long start = outbox.clock.getAsLong();
        long spared = relay.sender().breaker().rest().toMillis();

        long waited = -1;
        for (int i = 0; i < 100_000 && waited < 0 && outbox.clock.getAsLong() - start < 300e9; i++) {
            outbox.clock.advanceMillis(Math.max(1, loop.step().toMillis()));
            if (broker.arrived().contains("m1")) {
                waited = (outbox.clock.getAsLong() - start) / 1_000_000;
            }
        }

        assertThat(waited).isBetween(0L, spared + 20);
    }

    @Test
    void a_released_session_of_many_pages_is_sent_without_an_idle_rest_between_two_of_them() {
        var relay = outbox.relay(broker, 2).started();
        String[] ids = IntStream.range(0, 40).mapToObj(i -> "m" + i).toArray(String[]::new);
        hold(relay, "held", ids);
        outbox.clock.advanceMillis(1000);
        var loop = loop(relay, Duration.ofMinutes(1));
        loop.wake();
        long start = outbox.clock.getAsLong();
        for (int i = 0; i < 100_000 && !broker.arrived().contains("m39"); i++) {
            outbox.clock.advanceMillis(Math.max(1, loop.step().toMillis()));
        }
        assertThat(outbox.clock.getAsLong() - start).isLessThan(2_000_000_000L);
    }

    @Test
    void a_stop_lets_no_more_of_a_hold_be_sent_than_is_under_way() {
        var oneByOne = new OneByOnePublisher();
        var relay = outbox.relay(oneByOne).started();
        oneByOne.refused = "poison";
        outbox.append("held", "poison", "m1", "m2", "m3");
        relay.run();
        outbox.clock.advanceMillis(60);
        relay.run();
        oneByOne.refused = "";
        holds.release(HoldKey.session(HoldSide.OUTBOX, OutboxFixture.DESTINATION, "held"), BY_ANNA);
        outbox.clock.advanceMillis(1000);
        oneByOne.slow = true;
        relay.turn().step(true);
        assertThat(oneByOne.arrived).containsExactly("poison");

        var leaving = CompletableFuture.supplyAsync(() -> relay.turn().leave(Duration.ofSeconds(20)));
        await().until(() -> !oneByOne.mayContinue.getAsBoolean());
        oneByOne.answer();

        assertThat(leaving.join()).isZero();
        assertThat(oneByOne.arrived).containsExactly("poison");
    }

    private record PreparedPublisher(CompletableFuture<Void> connecting) implements Publisher {
        @Override
        public CompletionStage<?> prepare(String destination) {
            return connecting;
        }

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return CompletableFuture.completedFuture(PublishResult.accepted(0));
        }

        @Override
        public void close() {}
    }

    /** Sends each row alone and asks before it whether it may. */
    private static final class OneByOnePublisher implements Publisher {
        private final List<String> arrived = new ArrayList<>();
        private volatile boolean slow;
        private volatile BooleanSupplier mayContinue = () -> true;
        private String refused = "";
        private CompletableFuture<Void> next = new CompletableFuture<>();

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            mayContinue = shipment.mayContinue();
            return send(shipment, 0);
        }

        private CompletionStage<PublishResult> send(Shipment shipment, int row) {
            if (row == shipment.rows().size() || !shipment.mayContinue().getAsBoolean()) {
                return CompletableFuture.completedFuture(PublishResult.accepted(row));
            }
            String id = shipment.rows().get(row).brokerMessageId();
            if (id.equals(refused)) {
                return CompletableFuture.completedFuture(
                        PublishResult.refused(row, new IllegalArgumentException("too large")));
            }
            arrived.add(id);
            if (!slow) {
                return send(shipment, row + 1);
            }
            next = new CompletableFuture<>();
            return next.thenCompose(done -> send(shipment, row + 1));
        }

        void answer() {
            next.complete(null);
        }

        @Override
        public void close() {}
    }
}
