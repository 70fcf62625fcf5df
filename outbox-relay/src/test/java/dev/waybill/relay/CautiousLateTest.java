package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Late rows of a lane whose owners die, or that is sent with caution, count as new ones do. */
@ExtendWith(PostgresExtension.class)
class CautiousLateTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void one_step_sends_one_page_with_caution(boolean late, TestDatabase database) throws Exception {
        var outbox = new OutboxFixture(database);
        var broker = new RecordingPublisher();
        var sessions = outbox.sessionsOfOneBucket(2);
        String[] ids = IntStream.range(0, 400).mapToObj(i -> "m" + i).toArray(String[]::new);
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), ids);
        if (late) {
            outbox.append(sessions.get(1), "fast");
            outbox.relay(broker, 10).started().run();
        }
        outbox.commit(slow);
        broker.behave(shipment -> {
            throw new IllegalStateException("dies");
        });
        for (int i = 0; i < CrashSuspect.GRAVE; i++) {
            outbox.expireLeases();
            try {
                outbox.relay(broker, 10).started().run();
            } catch (RuntimeException e) {
                // As a process would.
            }
        }
        broker.takeEverything();
        outbox.expireLeases();
        var relay = outbox.relay(broker, 10).started();
        int before = broker.arrived().size();

        relay.turn().step(true);

        assertThat(broker.arrived().size() - before).isLessThanOrEqualTo(20);
    }

    /** Three relays are killed while they send a large transaction, and get on well until then. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void relays_that_are_killed_while_they_get_on_make_no_lane_suspicious(boolean late, TestDatabase database)
            throws Exception {
        var outbox = new OutboxFixture(database);
        var broker = new RecordingPublisher();
        var sessions = outbox.sessionsOfOneBucket(2);
        String[] ids = IntStream.range(0, 3_000).mapToObj(i -> "m" + i).toArray(String[]::new);
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), ids);
        if (late) {
            outbox.append(sessions.get(1), "fast");
            outbox.relay(broker, 10).started().run();
            outbox.closeRelays();
            outbox.expireLeases();
        }
        outbox.commit(slow);
        var alone = new AtomicInteger();
        broker.behave(shipment -> {
            alone.addAndGet(shipment.rows().size() == 1 ? 1 : 0);
            return PublishResult.accepted(shipment.rows().size());
        });
        for (int killed = 0; killed < CrashSuspect.GRAVE + 1; killed++) {
            var relay = outbox.relay(broker, 10).started();
            int before = broker.arrived().size();
            for (int step = 0; step < 50 && broker.arrived().size() < before + 400; step++) {
                relay.turn().step(true);
                outbox.clock.advanceMillis(1_000);
            }
            outbox.closeRelays();
            outbox.expireLeases();
        }
        outbox.relay(broker, 10).started().run();

        assertThat(broker.arrived()).contains("m2999");
        assertThat(alone.get()).as("messages that were sent one by one").isLessThan(50);
    }
}
