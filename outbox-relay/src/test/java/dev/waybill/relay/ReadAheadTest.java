package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** While a page is on its way the next ones are read: what that must not break. */
@ExtendWith(PostgresExtension.class)
class ReadAheadTest {
    private static final int PAGE = 2;
    private static final String[] BACKLOG =
            IntStream.range(0, 12).mapToObj(i -> "m" + i).toArray(String[]::new);

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    @Test
    void a_backlog_of_many_pages_arrives_in_order_and_once() {
        outbox.append("s", BACKLOG);

        drain(outbox.relay(broker, PAGE).started());

        assertThat(broker.arrived()).containsExactly(BACKLOG);
    }

    @Test
    void nothing_read_ahead_overtakes_a_row_that_failed() {
        outbox.append("s", BACKLOG);
        var relay = outbox.relay(broker, PAGE).started();
        failOnce(shipment -> shipment.rows().get(0).messageId().equals("m2"), 1);

        assertThat(relay.run().failure()).hasMessage("link lost");
        assertThat(broker.arrived()).containsExactly("m0", "m1", "m2");
        drain(relay);

        assertThat(broker.arrived()).containsExactly(BACKLOG);
    }

    @Test
    void a_successor_goes_on_at_the_row_that_failed_and_not_behind_what_was_read_ahead() {
        outbox.append("s", BACKLOG);
        failOnce(shipment -> shipment.rows().get(0).messageId().equals("m2"), 0);
        outbox.relay(broker, PAGE).started().run();

        outbox.expireLeases();
        drain(outbox.relay(broker, PAGE).started());

        assertThat(broker.arrived()).containsExactly(BACKLOG);
    }

    @Test
    void a_row_that_failed_holds_up_no_other_lane() {
        outbox.append("s1", BACKLOG);
        outbox.append("s2", "other");
        failOnce(shipment -> shipment.rows().get(0).messageId().equals("m0"), 0);

        outbox.relay(broker, PAGE).started().run();

        assertThat(broker.arrived()).containsExactly("other");
    }

    @Test
    void a_row_that_commits_behind_a_page_on_its_way_is_late_for_the_next() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "slow");
        outbox.append(sessions.get(1), BACKLOG);
        var sends = new AtomicInteger();
        broker.behave(shipment -> {
            if (sends.getAndIncrement() == 0) {
                commit(slow);
            }
            return PublishResult.accepted(shipment.rows().size());
        });

        drain(outbox.relay(broker, PAGE).started());

        assertThat(broker.arrived())
                .hasSize(BACKLOG.length + 1)
                .contains("slow")
                .containsSubsequence(BACKLOG);
    }

    @Test
    void a_late_row_that_failed_is_not_forgotten_with_the_pages_read_ahead() throws Exception {
        var sessions = outbox.sessionsOfOneBucket(2);
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "slow");
        outbox.append(sessions.get(1), BACKLOG);
        var relay = outbox.relay(broker, PAGE).started();
        var sends = new AtomicInteger();
        broker.behave(shipment -> {
            if (sends.getAndIncrement() == 0) {
                commit(slow);
            }
            boolean isLate = shipment.rows().get(0).messageId().equals("slow");
            return isLate && sends.get() <= 2
                    ? PublishResult.failed(0, new IllegalStateException("busy"))
                    : PublishResult.accepted(shipment.rows().size());
        });
        relay.run();
        assertThat(broker.arrived()).containsExactly("m0", "m1");

        outbox.expireLeases();
        drain(outbox.relay(broker, PAGE).started());

        assertThat(broker.arrived())
                .hasSize(BACKLOG.length + 1)
                .contains("slow")
                .containsSubsequence(BACKLOG);
    }

    @Test
    void a_zombie_settles_none_of_its_pages() {
        outbox.append("s", BACKLOG);
        var successor = outbox.relay(new RecordingPublisher(), PAGE);
        var zombie = outbox.relay(broker, PAGE).started();
        broker.behave(shipment -> {
            outbox.expireLeases();
            successor.started();
            return PublishResult.accepted(shipment.rows().size());
        });

        zombie.run();

        assertThat(outbox.rowsIn("outbox_progress")).isZero();
        int repeated = 0;
        for (int published = successor.run().published();
                published > 0;
                published = successor.run().published()) {
            repeated += published;
        }
        assertThat(repeated).isEqualTo(BACKLOG.length);
    }

    @Test
    void a_crash_on_a_later_page_repeats_from_a_settled_row() {
        outbox.append("s", BACKLOG);
        var sends = new AtomicInteger();
        var dying = new RecordingPublisher();
        dying.behave(shipment -> {
            if (sends.getAndIncrement() == 3) {
                throw new IllegalStateException("crash");
            }
            broker.publish(shipment);
            return PublishResult.accepted(shipment.rows().size());
        });
        assertThatThrownBy(outbox.relay(dying, PAGE).started()::run).hasMessage("crash");

        outbox.expireLeases();
        drain(outbox.relay(broker, PAGE).started());

        assertThat(broker.arrived().stream().distinct()).containsExactly(BACKLOG);
    }

    @Test
    void after_the_database_has_failed_nothing_is_sent_while_something_is_on_its_way() throws Exception {
        outbox.append("s", BACKLOG);
        var slow = new SlowPublisher();
        var relay =
                outbox.relay(slow, PAGE, right -> new ReaderThatFails(right, 2)).started();
        assertThatThrownBy(relay::run).hasMessage("database gone");
        var turn = new Thread(relay::run);
        turn.start();

        await().until(() -> turn.getState() == Thread.State.WAITING || !turn.isAlive());
        assertThat(slow.shipments).hasValue(1);
        slow.acknowledgement.complete(PublishResult.accepted(PAGE));
        turn.join();

        assertThat(slow.shipments).hasValueGreaterThan(1);
    }

    private void failOnce(Predicate<Publisher.Shipment> culprit, int accepted) {
        var failures = new AtomicInteger();
        broker.behave(shipment -> culprit.test(shipment) && failures.getAndIncrement() == 0
                ? PublishResult.failed(accepted, new IllegalStateException("link lost"))
                : PublishResult.accepted(shipment.rows().size()));
    }

    private static void drain(OutboxFixture.RelayUnderTest relay) {
        while (relay.run().published() > 0) {}
    }

    private void commit(Connection tx) {
        OutboxFixture.SqlAction action = () -> outbox.commit(tx);
        action.run();
    }

    /** Acknowledges when the test says so. */
    private static final class SlowPublisher implements Publisher {
        private final CompletableFuture<PublishResult> acknowledgement = new CompletableFuture<>();
        private final AtomicInteger shipments = new AtomicInteger();

        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            if (!shipment.mayContinue().getAsBoolean()) {
                return CompletableFuture.completedFuture(PublishResult.accepted(0));
            }
            shipments.incrementAndGet();
            return acknowledgement;
        }

        @Override
        public void close() {}
    }

    /** Loses its connection at one of its reads. */
    private static final class ReaderThatFails extends PlantedReaders.Wrapped {
        private int readsLeft;

        ReaderThatFails(OutboxReader reader, int failsAt) {
            super(reader);
            this.readsLeft = failsAt;
        }

        @Override
        public Page read(Map<Lane, Cursor> cursors, PageLimit limit) {
            if (--readsLeft == 0) {
                throw new IllegalStateException("database gone");
            }
            return super.read(cursors, limit);
        }
    }
}
