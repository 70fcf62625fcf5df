package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.RelayTables.Source;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A lane that another relay is to have, while its owner spares the broker, or stops. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class DrainingLaneTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final RecordingPublisher broker = new RecordingPublisher();

    @Test
    void a_lane_that_another_relay_waits_for_is_settled_at_once_though_the_broker_is_spared(TestDatabase database) {
        var outbox = new OutboxFixture(database);
        var slow = new HeldBackPublisher(
                broker, shipment -> shipment.rows().get(0).messageId().startsWith("late"));
        var first = outbox.relay(slow).started();
        outbox.append("s", "soon");
        IntStream.range(0, 200).forEach(i -> outbox.append("s" + i, "late" + i));
        first.turn().step(true);
        outbox.clock.advanceMillis(10);
        slow.answer();
        first.sender().breaker().report(new PublishResult(0, Outcome.THROTTLED, new IllegalStateException("busy")));
        first.turn().step(false);
        assertThat(first.turn().maySend()).isFalse();
        assertThat(first.turn().rest(LONG)).isEqualTo(Duration.ofMillis(190));

        UUID waiting = UUID.randomUUID();
        var second = outbox.relay(broker, outbox.dsl, Source.of(outbox.schema, waiting, 100, System::nanoTime))
                .started();
        first.turn().takeLanes();
        assertThat(lanesOf(waiting, outbox)).isZero();
        assertThat(first.turn().rest(LONG)).isZero();

        first.turn().step(false);
        second.turn().takeLanes();

        assertThat(lanesOf(waiting, outbox)).isEqualTo(16);
    }

    @Test
    void a_stop_that_waits_for_one_send_has_settled_the_others_and_given_their_lanes_back(TestDatabase database) {
        var outbox = new OutboxFixture(database);
        var slow = new HeldBackPublisher(
                broker, shipment -> shipment.rows().get(0).messageId().equals("hangs"));
        UUID id = UUID.randomUUID();
        var stopping = outbox.relay(slow, outbox.dsl, Source.of(outbox.schema, id, 100, System::nanoTime))
                .started();
        outbox.append("s0", "first");
        stopping.turn().step(true);
        outbox.clock.advanceMillis(10);
        outbox.append("s1", "accepted");
        outbox.append("s2", "hangs");
        stopping.turn().step(true);

        var stop = CompletableFuture.supplyAsync(() -> stopping.turn().leave(LONG));
        await().until(() -> lanesOf(id, outbox) == 1);
        var later = new RecordingPublisher();
        outbox.expireLeases();
        outbox.relay(later).started().run();
        outbox.clock.advanceMillis(LONG.toMillis());
        slow.answer();
        stop.join();

        assertThat(later.arrived()).containsExactly("hangs");
    }

    @Test
    void a_stop_without_its_database_waits_for_what_is_under_way_all_the_same(TestDatabase database) throws Exception {
        var outbox = new OutboxFixture(database);
        var slow = new HeldBackPublisher(
                broker, shipment -> shipment.rows().get(0).messageId().equals("hangs"));
        var dead = new AtomicBoolean();
        var stopping = outbox.relay(slow, WatchedConnections.failing(outbox.dsl, dead::get))
                .started();
        outbox.append("s0", "first");
        stopping.turn().step(true);
        outbox.append("s1", "accepted");
        outbox.append("s2", "hangs");
        stopping.turn().step(true);
        dead.set(true);

        var stop = CompletableFuture.supplyAsync(() -> stopping.turn().leave(LONG));
        assertThatThrownBy(() -> stop.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        slow.answer();

        assertThatThrownBy(stop::get).hasStackTraceContaining("The database is gone");
    }

    private static int lanesOf(UUID owner, OutboxFixture outbox) {
        return outbox.dsl
                .fetchSingle(
                        "select count(*)::int from " + outbox.schema.table("outbox_lane") + " where owner = {0}",
                        DSL.val(owner))
                .get(0, Integer.class);
    }
}
