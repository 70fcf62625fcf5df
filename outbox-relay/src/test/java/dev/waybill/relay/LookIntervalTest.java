package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many looks commits lead to, and how long the loop rests at most. */
@ExtendWith(PostgresExtension.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LookIntervalTest {
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(8);

    private final RecordingPublisher broker = new RecordingPublisher();
    private final AtomicBoolean dead = new AtomicBoolean();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    private DestinationLoop loop(RelayUnderTest relay, Duration longestIdle) {
        return outbox.loop(relay, LOOK_INTERVAL, longestIdle);
    }

    private int stepsWithACommitEachMillisecond(DestinationLoop loop, int millis) {
        int steps = 0;
        long rest = 0;
        for (int i = 0; i < millis; i++) {
            outbox.clock.advanceMillis(1);
            if (loop.wake() || --rest <= 0) {
                rest = loop.step().toMillis();
                steps++;
            }
        }
        return steps;
    }

    @Test
    void commits_end_no_rest_after_a_failure_and_are_found_after_it() {
        var relay = outbox.relay(broker, WatchedConnections.failing(outbox.dsl, dead::get))
                .started();
        var loop = loop(relay, Duration.ofMillis(500));
        loop.step();
        dead.set(true);

        assertThat(stepsWithACommitEachMillisecond(loop, 300)).isBetween(1, 5);

        dead.set(false);
        loop.wake();
        outbox.append("s", "m1");
        outbox.clock.advanceMillis(5_000);
        loop.step();
        relay.liveness().becomeReady();
        relay.heartbeat().beat();
        loop.step();
        loop.step();
        assertThat(broker.arrived()).containsExactly("m1");
    }

    @Test
    void commits_to_a_paused_destination_lead_to_no_more_looks_than_the_look_interval_allows() {
        var relay = outbox.relay(broker).started();
        var loop = loop(relay, Duration.ofMillis(500));
        loop.step();
        outbox.execute("insert into $schema.outbox_pause (destination, reason) values ('orders', 'x')");
        outbox.append("s", "m1");
        assertThat(stepsWithACommitEachMillisecond(loop, 80)).isBetween(2, 12);
        outbox.execute("delete from $schema.outbox_pause");
        loop.wake();
        outbox.clock.advanceMillis(LOOK_INTERVAL.toMillis());
        loop.step();

        assertThat(broker.arrived()).containsExactly("m1");
    }

    @Test
    void commits_to_other_destinations_lead_to_no_more_looks_than_the_look_interval_allows() {
        var loop = loop(outbox.relay(broker).started(), Duration.ofMillis(500));
        loop.step();

        assertThat(stepsWithACommitEachMillisecond(loop, 80)).isBetween(2, 12);
    }

    @Test
    void answers_that_come_without_a_rest_put_off_no_look() {
        var nanos = new AtomicLong(1);
        var pace = new Pace(LOOK_INTERVAL, Duration.ofMillis(500), new SplittableRandom(1), nanos::get);
        pace.looks();
        long looked = nanos.get();
        do {
            pace.afterWork(1);
            nanos.addAndGet(Duration.ofMillis(1).toNanos() / 2);
        } while (!pace.isLookDue()
                && nanos.get() - looked < Duration.ofSeconds(2).toNanos());

        assertThat(Duration.ofNanos(nanos.get() - looked)).isEqualTo(LOOK_INTERVAL);
    }

    @Test
    void a_clock_about_to_overflow_lengthens_no_rest() {
        outbox.clock.advanceMillis((Long.MAX_VALUE - 2_000_000_000L) / 1_000_000);
        var relay = outbox.relay(broker).started();
        var loop = loop(relay, Duration.ofMillis(500));
        var longest = Duration.ZERO;
        for (int i = 0; i < 500; i++) {
            Duration rest = loop.step();
            longest = rest.compareTo(longest) > 0 ? rest : longest;
            outbox.clock.advanceMillis(Math.max(1, Math.min(10, rest.toMillis())));
        }
        assertThat(longest).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_late_commit_that_nobody_tells_of_is_looked_for_within_the_longest_idle_rest() {
        for (int idle : new int[] {20, 500, 513, 1000, 10_000}) {
            var clock = new TestClock();
            var pace = new Pace(LOOK_INTERVAL, Duration.ofMillis(idle), new SplittableRandom(1), clock);
            pace.woken();
            pace.looks();
            pace.afterWork(1);
            long start = clock.getAsLong();
            do {
                clock.advanceMillis(pace.untilLook().toMillis());
                pace.afterIdle();
            } while (pace.looks());

            assertThat(clock.getAsLong() - start).isLessThanOrEqualTo(idle * 1_000_000L);
        }
    }

    @Test
    void what_is_accepted_is_settled_in_time_however_far_away_the_next_look_is() {
        var slow = new HeldBackPublisher(
                broker, shipment -> shipment.rows().get(0).messageId().equals("late"));
        var loop = outbox.loop(outbox.relay(slow).started(), Duration.ofSeconds(10), Duration.ofDays(200_000));
        outbox.append("s1", "soon");
        outbox.append("s2", "late");
        loop.step();
        outbox.clock.advanceMillis(10);
        slow.answer();
        long settled = outbox.rowsIn("outbox_progress");

        assertThat(loop.step()).isEqualTo(Duration.ofMillis(190));
        outbox.clock.advanceMillis(190);
        loop.step();

        assertThat(broker.arrived()).containsExactly("soon", "late");
        assertThat(outbox.rowsIn("outbox_progress")).isEqualTo(settled + 1);
    }

    @Test
    void many_accepted_messages_wait_no_longer_than_50_ms_to_be_settled() {
        var slow = new HeldBackPublisher(
                broker, shipment -> shipment.rows().get(0).messageId().startsWith("late"));
        var loop = outbox.loop(outbox.relay(slow).started(), Duration.ofSeconds(10), Duration.ofDays(200_000));
        outbox.append("first", "soon");
        for (int session = 0; session < 30; session++) {
            String id = "late" + session + "-";
            outbox.append(
                    "s" + session, IntStream.range(0, 10).mapToObj(i -> id + i).toArray(String[]::new));
        }
        loop.step();
        outbox.clock.advanceMillis(10);
        slow.answer();
        long settled = outbox.rowsIn("outbox_progress");

        assertThat(loop.step()).isEqualTo(Duration.ofMillis(40));
        outbox.clock.advanceMillis(40);
        loop.step();

        assertThat(broker.arrived()).hasSize(301);
        assertThat(outbox.rowsIn("outbox_progress")).isGreaterThan(settled);
    }

    @Test
    void a_busy_time_has_half_as_many_looks_until_it_ends() {
        var pace = new Pace(LOOK_INTERVAL, Duration.ofMillis(500), new SplittableRandom(1), outbox.clock);

        assertThat(restsAt(500, pace)).containsOnly(LOOK_INTERVAL);
        assertThat(restsAt(1_000, pace)).endsWith(LOOK_INTERVAL.multipliedBy(2));
        assertThat(restsAt(500, pace)).endsWith(LOOK_INTERVAL);
    }

    @Test
    void a_busy_time_lengthens_no_look_interval_beyond_the_longest_idle_rest() {
        var idle = Duration.ofMillis(10);
        var pace = new Pace(LOOK_INTERVAL, idle, new SplittableRandom(1), outbox.clock);

        assertThat(restsAt(1_000, pace)).endsWith(idle).allMatch(rest -> rest.compareTo(idle) <= 0);
    }

    /** The rests of more than half a second in which messages come at this rate and each look finds those that have come. */
    private List<Duration> restsAt(int perSecond, Pace pace) {
        var rests = new ArrayList<Duration>();
        var rest = LOOK_INTERVAL;
        for (long passed = 0; passed < 600; passed += rest.toMillis()) {
            outbox.clock.advanceMillis(rest.toMillis());
            pace.looks();
            pace.afterWork((int) (rest.toMillis() * perSecond / 1_000));
            rest = pace.untilLook();
            rests.add(rest);
        }
        return rests;
    }

    @Test
    void intervals_longer_than_a_clock_counts_are_endless() {
        var pace = new Pace(Duration.ofDays(200_000), Duration.ofDays(200_000), new SplittableRandom(1), outbox.clock);
        pace.looks();
        pace.afterWork(1);

        assertThat(pace.untilLook()).isGreaterThan(Duration.ofDays(300));
    }
}
