package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A relay has found that the outbox's history has changed: the loops that own lanes hear of it, of whichever relay they are. */
@ExtendWith(PostgresExtension.class)
class HaltTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private RelayUnderTest relay;

    @BeforeEach
    void start_a_relay_that_works(TestDatabase database) {
        outbox = new OutboxFixture(database);
        relay = outbox.relay(broker).started();
        outbox.append("s", "before");
        relay.run();
        assertThat(recorded()).isPositive();
    }

    @Test
    void a_loop_that_owns_its_lanes_records_nothing_after_a_halt() {
        long before = recorded();
        halt();
        outbox.append("s", "after");
        outbox.letRecordingBeDue();

        runUntilItStandsStill();

        assertThat(recorded()).isEqualTo(before);
    }

    @Test
    void a_loop_that_owns_its_lanes_stands_still_after_a_halt_until_the_rebase() {
        DestinationLoop loop = outbox.loop(relay);
        loop.step();
        halt();
        takeSteps(loop);
        outbox.append("s", "after");

        takeSteps(loop);

        assertThat(broker.arrived()).containsExactly("before");
        assertThat(relay.liveness().report().state()).isEqualTo("history");
    }

    @Test
    void a_loop_that_holds_a_refused_message_after_a_halt_records_neither_hold_nor_cursor() {
        long before = recorded();
        halt();
        broker.refuse("refused");
        outbox.append("s", "refused");

        runUntilItStandsStill();

        assertThat(outbox.rowsIn("outbox_hold")).isZero();
        assertThat(recorded()).isEqualTo(before);
    }

    private void takeSteps(DestinationLoop loop) {
        for (int i = 0; i < 3; i++) {
            outbox.clock.advanceMillis(1_000);
            relay.heartbeat().beat();
            loop.step();
        }
    }

    // A look that began before may have read on; the next one meets the halt.
    private void runUntilItStandsStill() {
        assertThatThrownBy(() -> {
                    relay.run();
                    relay.run();
                })
                .isInstanceOf(HistoryChangedException.class);
    }

    // As another relay does, which has no lane of this destination.
    private void halt() {
        outbox.execute("insert into $schema.outbox_lane (destination, bucket, epoch) values ('stock', 0, 1)");
        outbox.execute("insert into $schema.outbox_progress (destination, bucket, epoch, position, snapshot, next_xid)"
                + " values ('stock', 0, 1, 100000, pg_current_snapshot(), pg_snapshot_xmax(pg_current_snapshot()))");
        var history = new OutboxHistory(outbox.dsl, outbox.schema);
        assertThatThrownBy(history::require).isInstanceOf(HistoryChangedException.class);
    }

    private long recorded() {
        return outbox.dsl
                .fetchSingle(
                        "select count(*) from %s.outbox_progress where destination = 'orders'".formatted(outbox.schema))
                .get(0, Long.class);
    }
}
