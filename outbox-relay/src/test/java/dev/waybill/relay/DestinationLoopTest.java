package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When a loop rests, and what ends the rest. */
@ExtendWith(PostgresExtension.class)
class DestinationLoopTest {
    private static final int LOOK_MILLIS = 8;
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(LOOK_MILLIS);
    private static final Duration LONGEST_IDLE = Duration.ofMillis(250);

    private final RecordingPublisher broker = new RecordingPublisher();
    private Runnable afterRead = () -> {};
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    private DestinationLoop loop(RelayUnderTest relay) {
        return outbox.loop(relay, LOOK_INTERVAL, LONGEST_IDLE);
    }

    @Test
    void commits_between_two_looks_under_load_end_no_rest_and_are_found_by_the_second() {
        var loop = loop(outbox.relay(broker).started());
        outbox.append("s", "m1");
        assertThat(loop.step()).isEqualTo(LOOK_INTERVAL);

        outbox.append("s", "m2");
        assertThat(loop.wake()).isFalse();
        outbox.clock.advanceMillis(LOOK_MILLIS);
        assertThat(loop.step()).isEqualTo(LOOK_INTERVAL);

        assertThat(broker.arrived()).containsExactly("m1", "m2");
    }

    @Test
    void a_commit_after_a_look_that_found_nothing_ends_the_rest() {
        var loop = loop(outbox.relay(broker).started());
        loop.step();
        outbox.clock.advanceMillis(LONGEST_IDLE.toMillis());
        assertThat(loop.step()).isPositive();

        outbox.append("s", "m1");
        assertThat(loop.wake()).isTrue();
        loop.step();

        assertThat(broker.arrived()).containsExactly("m1");
    }

    @Test
    void a_commit_between_a_look_that_finds_nothing_and_its_rest_is_not_slept_through() {
        var loop = loop(outbox.relay(broker, 100, this::reading).started());
        outbox.append("s", "m1");
        loop.step();
        loop.wake();
        outbox.clock.advanceMillis(LOOK_MILLIS);
        afterRead = () -> {
            outbox.append("s", "m2");
            loop.wake();
        };

        assertThat(loop.step()).isZero();
        afterRead = () -> {};
        loop.step();

        assertThat(broker.arrived()).containsExactly("m1", "m2");
    }

    private OutboxReader reading(OutboxReader right) {
        return new PlantedReaders.Wrapped(right) {
            @Override
            public Page read(Map<Lane, Cursor> cursors, PageLimit limit) {
                Page page = super.read(cursors, limit);
                afterRead.run();
                return page;
            }
        };
    }

    @Test
    void an_answer_within_the_step_ends_no_rest_and_a_later_one_does() {
        var atOnce = loop(outbox.relay(broker).started());
        atOnce.getReady();
        outbox.arrivals.set(0);
        outbox.append("s", "m1");
        atOnce.step();
        assertThat(broker.arrived()).containsExactly("m1");
        assertThat(outbox.arrivals).hasValue(0);
        outbox.expireLeases();

        var slow = new HeldBackPublisher(broker, shipment -> true);
        outbox.append("s", "m2");
        var later = loop(outbox.relay(slow).started());
        later.getReady();
        later.step();
        outbox.arrivals.set(0);
        slow.answer();

        assertThat(outbox.arrivals).hasValue(1);
    }
}
