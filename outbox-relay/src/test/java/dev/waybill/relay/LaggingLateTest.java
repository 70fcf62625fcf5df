package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The broker takes nothing of one lane, and a destination that it throttles is tried with one shipment at a time. */
@ExtendWith(PostgresExtension.class)
class LaggingLateTest {
    private static final int ROWS = 20_000;
    private static final int ENOUGH = 15_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void one_lane_that_the_broker_throttles_keeps_no_other_from_its_rows(boolean late, TestDatabase database)
            throws Exception {
        var outbox = new OutboxFixture(database);
        var broker = new RecordingPublisher();
        var relay = outbox.relay(broker, 20).started();
        var slow = outbox.open();
        DSL.using(slow, SQLDialect.POSTGRES)
                .execute("insert into " + outbox.schema.table("outbox_message")
                        + " (destination, session_id, message_id, payload)"
                        + " select 'orders', 's' || (n % 640), 'm' || n, 'x' from generate_series(1, " + ROWS + ") n");
        for (int i = 0; i < 640; i++) {
            outbox.append("f" + i, "fast" + i);
        }
        if (late) {
            relay.run();
        }
        outbox.commit(slow);
        Set<String> lagging = Set.copyOf(outbox.dsl
                .fetch("select 's' || n from generate_series(0, 639) n where " + outbox.schema.value()
                        + ".outbox_bucket('s' || n, 'm') = 7")
                .getValues(0, String.class));
        broker.behave(shipment -> {
            List<OutboxRow> rows = shipment.rows();
            boolean lags = lagging.contains(Objects.requireNonNull(rows.get(0).sessionId()));
            return lags && broker.arrived().size() > 1_500
                    ? new PublishResult(0, Outcome.THROTTLED, new IllegalStateException("server busy"))
                    : PublishResult.accepted(rows.size());
        });
        for (int step = 0; step < 1_500 && broker.arrived().size() < ENOUGH; step++) {
            relay.heartbeat().beat();
            relay.liveness().moved();
            relay.turn().step(true);
            outbox.clock.advanceMillis(200);
        }

        assertThat(broker.arrived().size()).isGreaterThanOrEqualTo(ENOUGH);
    }
}
