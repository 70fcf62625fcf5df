package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.RelayTables.Source;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A lane that another relay is to have, while its owner spares the broker. */
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
        var second = outbox.relay(broker, outbox.dsl, Source.of(outbox.schema, waiting, 100))
                .started();
        first.turn().takeLanes();
        assertThat(lanesOf(waiting, outbox)).isZero();
        assertThat(first.turn().rest(LONG)).isZero();

        first.turn().step(false);
        second.turn().takeLanes();

        assertThat(lanesOf(waiting, outbox)).isEqualTo(16);
    }

    private static int lanesOf(UUID owner, OutboxFixture outbox) {
        return outbox.dsl
                .fetchSingle(
                        "select count(*)::int from " + outbox.schema.table("outbox_lane") + " where owner = {0}",
                        DSL.val(owner))
                .get(0, Integer.class);
    }
}
