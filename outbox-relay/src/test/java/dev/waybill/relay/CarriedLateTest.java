package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.Holds;
import java.time.Duration;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The ring of progress comes round while a destination is paused among late rows. */
@ExtendWith(PostgresExtension.class)
class CarriedLateTest {
    private static final AuditContext BY_ANNA = new AuditContext("anna", "not wanted");

    @Test
    void late_progress_outlives_the_ring_of_progress(TestDatabase database) throws Exception {
        var outbox = new OutboxFixture(database);
        var holds = Holds.ofOutbox(database.dataSource(), outbox.schema);
        var broker = new RecordingPublisher();
        var destinations = Destinations.of(outbox.dataSource(), outbox.schema);
        var sessions = outbox.sessionsOfOneBucket(3);
        String[] ids = IntStream.range(0, 3_000).mapToObj(i -> "m" + i).toArray(String[]::new);
        var relay = outbox.relay(broker, 2).started();
        var slow = outbox.open();
        outbox.append(slow, sessions.get(2), "poison");
        outbox.append(slow, sessions.get(0), ids);
        outbox.append(sessions.get(1), "fast");
        relay.run();
        outbox.commit(slow);
        broker.behave(shipment -> RecordingPublisher.refusing(shipment, Set.of("poison")));
        while (broker.arrived().size() < 2_000) {
            relay.heartbeat().beat();
            relay.turn().step(true);
            outbox.clock.advanceMillis(1_000);
        }
        assertThat(holds.list()).hasSize(1);
        holds.skipAll(HoldFilter.everything(), BY_ANNA);
        destinations.pause(OutboxFixture.DESTINATION, "test");
        assertThat(relay.turn().leave(Duration.ofSeconds(10))).isZero();
        outbox.closeRelays();
        // Other destinations go on meanwhile.
        outbox.execute(
                "select setval('$schema.outbox_progress_seq', last_value + 2 * 8192) from $schema.outbox_progress_seq");
        assertThat(Ring.ofProgress(outbox.dsl, outbox.schema).turn()).isNotEmpty();
        broker.takeEverything();
        destinations.resume(OutboxFixture.DESTINATION);

        outbox.relay(broker, 2).started().run();

        long different = broker.arrived().stream().distinct().count();
        assertThat(broker.arrived()).contains(ids);
        assertThat(broker.arrived().size() - different).isLessThan(500);
        assertThat(broker.arrived()).doesNotContain("poison");
    }
}
