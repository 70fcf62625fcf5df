package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.relay.OutboxFixture.RelayUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rows that still wait when the ring comes round: they make room, and arrive all the same. */
@ExtendWith(PostgresExtension.class)
class StragglersTest {
    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;
    private Stragglers stragglers;
    private List<String> sessions;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
        stragglers = new Stragglers(outbox.dsl, outbox.schema);
        sessions = outbox.sessionsOfOneBucket(2);
    }

    @Test
    void one_message_that_nobody_takes_keeps_no_partition_however_often_the_ring_turns() {
        var relay = outbox.relay(broker).started();
        outbox.execute(
                "insert into $schema.outbox_message (destination, message_id, payload) values ('none', 'm', '')");
        for (int i = 0; i < 3 * RingLayout.SLOTS; i++) {
            outbox.append("s", "m" + i);
            relay.run();
            nextPartition();
        }

        assertThat(outbox.rowsIn("outbox_straggler")).isEqualTo(1);
        assertThat(outbox.rowsIn("outbox_message")).isLessThan(RingLayout.SLOTS);
        assertThat(broker.arrived()).hasSize(3 * RingLayout.SLOTS).doesNotHaveDuplicates();
    }

    @Test
    void what_was_moved_aside_arrives_in_order_with_what_came_after_it() {
        outbox.append("s", "m1", "m2");
        turnUntilMoved(2);
        outbox.append("s", "m3");

        drain(outbox.relay(broker, 1).started());

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void what_commits_behind_rows_that_were_moved_arrives_too() throws Exception {
        var slow = outbox.open();
        outbox.append(slow, sessions.get(0), "slow");
        outbox.append(sessions.get(1), "m1");
        turnUntilMoved(1);
        var relay = outbox.relay(broker).started();
        drain(relay);
        outbox.commit(slow);
        assertThat(stragglers.turn()).isEqualTo(1);
        assertThat(pending()).isEqualTo(1);
        drain(relay);

        assertThat(broker.arrived()).containsExactly("m1", "slow");
        assertThat(outbox.rowsIn("outbox_straggler")).isEqualTo(1);
        stragglers.turn();
        assertThat(outbox.rowsIn("outbox_straggler")).isZero();
    }

    @Test
    void a_move_beside_a_lane_that_reads_loses_and_repeats_nothing() {
        String[] ids =
                java.util.stream.IntStream.range(0, 20).mapToObj(i -> "m" + i).toArray(String[]::new);
        outbox.append("s", ids);
        var relay = outbox.relay(broker, 2).started();
        relay.turn().step(true);
        relay.turn().step(false);
        assertThat(broker.arrived()).hasSizeBetween(2, 18);
        int moved = 0;
        for (int i = 0; moved == 0 && i < RingLayout.SLOTS; i++) {
            outbox.enterNextPartition();
            moved = stragglers.turn();
        }
        assertThat(moved).isPositive();
        drain(relay);

        assertThat(broker.arrived()).containsExactly(ids);
    }

    @Test
    void rows_are_moved_a_few_megabytes_at_a_time() {
        outbox.execute("""
                insert into $schema.outbox_message (destination, session_id, message_id, payload)
                select 'none', 's', 'm' || n, convert_to(repeat('x', 1000000), 'UTF8') from generate_series(1, 20) n""");
        var batches = new AtomicInteger();
        stragglers = new Stragglers(
                outbox.rewriting(sql -> {
                    if (sql.startsWith("with waiting")) {
                        batches.incrementAndGet();
                    }
                    return sql;
                }),
                outbox.schema);
        for (int i = 0; i < 4; i++) {
            outbox.enterNextPartition();
        }
        batches.set(0);
        outbox.enterNextPartition();

        assertThat(stragglers.turn()).isEqualTo(20);
        assertThat(batches.get()).isGreaterThanOrEqualTo(20 / 8 + 2);
    }

    @Test
    void views_show_what_was_moved_as_pending_and_count_it_once() {
        outbox.append("s", "m1", "m2");
        turnUntilMoved(2);

        assertThat(outbox.dsl
                        .fetch("select status from " + outbox.schema.table("outbox_message_status"))
                        .getValues("status", String.class))
                .containsExactly("pending", "pending");
        assertThat(pending()).isEqualTo(2);
    }

    @Test
    void a_held_message_is_held_out_of_those_that_were_moved() {
        outbox.append("s", "refused", "follows");
        turnUntilMoved(2);
        broker.refuse("refused");

        drain(outbox.relay(broker).started());

        assertThat(broker.arrived()).isEmpty();
        assertThat(outbox.rowsIn("outbox_held_message")).isEqualTo(2);
    }

    @Test
    void the_ring_enters_the_next_partition_once_the_one_in_use_is_old() {
        var clock = new RingClock(outbox.dsl, outbox.schema, Duration.ofHours(1));
        outbox.append("s", "m1");
        assertThat(clock.turn()).isFalse();
        outbox.execute("update $schema.outbox_message set created_at = created_at - interval '2 hours'");

        assertThat(clock.turn()).isTrue();
        assertThat(lastValue()).isEqualTo(1L << RingLayout.SHIFT);
        assertThat(clock.turn()).as("nothing is old there").isFalse();
    }

    @Test
    void a_ring_that_turns_by_time_gives_no_value_twice() {
        outbox.append("s", "m1");
        outbox.execute("update $schema.outbox_message set created_at = created_at - interval '2 hours'");
        var writers = outbox.before("select count(nextval", () -> outbox.append("s", "m2", "m3"));

        assertThat(new RingClock(writers, outbox.schema, Duration.ofHours(1)).turn())
                .isTrue();
        assertThat(lastValue()).isGreaterThanOrEqualTo(1L << RingLayout.SHIFT);
        outbox.append("s", "m4");
        drain(outbox.relay(broker).started());

        assertThat(broker.arrived()).containsExactly("m1", "m2", "m3", "m4");
    }

    private void nextPartition() {
        outbox.enterNextPartition();
        stragglers.turn();
        Ring.ofMessages(outbox.dsl, outbox.schema).turn();
    }

    private void turnUntilMoved(int rows) {
        int moved = 0;
        for (int i = 0; moved < rows && i < RingLayout.SLOTS; i++) {
            outbox.enterNextPartition();
            moved += stragglers.turn();
        }
        assertThat(moved).isEqualTo(rows);
    }

    private static void drain(RelayUnderTest relay) {
        relay.run();
        relay.run();
    }

    private long pending() {
        return outbox.dsl
                .fetchSingle("select coalesce(sum(pending), 0) from " + outbox.schema.table("outbox_backlog"))
                .get(0, Long.class);
    }

    private long lastValue() {
        return outbox.dsl
                .fetchSingle("select last_value from " + outbox.schema.table("outbox_message_seq"))
                .get(0, Long.class);
    }
}
