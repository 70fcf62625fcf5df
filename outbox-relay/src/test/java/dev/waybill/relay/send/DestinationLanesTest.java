package dev.waybill.relay.send;

import static dev.waybill.relay.send.LanesUnderTest.names;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.hold.Cause;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.send.LanesUnderTest.Result;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DestinationLanesTest {
    private final LanesUnderTest memory = new LanesUnderTest(HoldPolicy.HOLD_SESSION);
    private final DestinationLanes lanes = memory.lanes;

    @Test
    void a_lane_has_one_batch_in_flight_and_other_lanes_go_on() {
        memory.read("a1", "a2");
        Batch first = memory.begin(1);
        memory.read(3, "b3");

        assertThat(names(first)).isEqualTo("a1");
        assertThat(lanes.isSending()).isTrue();
        assertThat(lanes.isWaiting()).isTrue();
        assertThat(names(memory.begin())).isEqualTo("b3");
        assertThat(memory.hasNothingToSend()).isTrue();

        assertThat(lanes.collect(first, PublishResult.accepted(1))).isEqualTo(1);
        assertThat(names(memory.begin())).isEqualTo("a2");
    }

    @Test
    void what_is_accepted_stays_in_memory_until_its_row_is_deleted() {
        memory.read("a1", "a2");
        memory.send(Result.ACCEPTED);

        assertThat(memory.accepted()).isEqualTo("1 2");
        assertThat(lanes.acceptedCount()).isEqualTo(2);
        assertThat(lanes.accepted(1)).hasSize(1);
        assertThat(lanes.isSettled()).isFalse();
        assertThat(lanes.lowest()).isEqualTo(1);
        assertThat(lanes.rows()).isEqualTo(2);
        assertThat(lanes.bytes()).isEqualTo(20);

        lanes.deleted(lanes.accepted(1));
        assertThat(lanes.lowest()).isEqualTo(2);
        assertThat(lanes.bytes()).isEqualTo(10);
        assertThat(lanes.valuesAbove(1)).containsExactly(2L);
        assertThat(lanes.valuesAbove(2)).isEmpty();

        lanes.deleted(lanes.accepted(9));
        assertThat(lanes.isEmpty()).isTrue();
        assertThat(lanes.isSettled()).isTrue();
        assertThat(lanes.lowest()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void a_batch_that_fails_in_the_middle_is_sent_again_from_there_before_later_rows() {
        memory.read("a1", "b2", "a3", "b4");
        memory.send(size -> PublishResult.failed(2, new IllegalStateException("away")));
        memory.read("a5");

        assertThat(memory.accepted()).isEqualTo("1 2");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("a3 b4 a5");
    }

    @Test
    void a_result_that_comes_twice_counts_once() {
        memory.read("a1");
        Batch batch = memory.begin();

        assertThat(lanes.collect(batch, PublishResult.accepted(1))).isEqualTo(1);
        assertThat(lanes.collect(batch, PublishResult.accepted(1))).isZero();
        assertThat(lanes.collect(batch, PublishResult.failed(0, new IllegalStateException())))
                .isZero();
        assertThat(memory.hasNothingToSend()).isTrue();
    }

    @Test
    void a_batch_ends_before_it_is_too_large_and_has_one_row_at_least() {
        memory.read("a1", "a2", "a3");

        Batch two = lanes.begin(9, 20).get(0);
        assertThat(names(two)).isEqualTo("a1 a2");
        lanes.collect(two, PublishResult.accepted(2));
        assertThat(names(lanes.begin(9, 5).get(0))).isEqualTo("a3");
    }

    @Test
    void a_refused_row_blocks_its_session_and_no_other() {
        memory.read("a1", "b2", "a3", "b4", "5");
        assertThat(memory.send(Result.refusedBehind(0))).isEqualTo("a1 b2 a3 b4 5");
        memory.read("A6", "b7");

        assertThat(memory.blocked()).isEqualTo("a1 a3 A6");
        assertThat(lanes.hasBlocked()).isTrue();
        assertThat(lanes.blocked(1)).singleElement().satisfies(row -> {
            assertThat(row.alone()).isFalse();
            assertThat(row.cause()).isEqualTo(new Cause("IllegalArgumentException", "too large"));
        });
        assertThat(lanes.blocked(2).get(1).cause()).isNull();
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("b2 b4 5 b7");
    }

    @Test
    void a_refused_row_without_a_session_blocks_itself_alone() {
        memory.read("1", "2");
        memory.send(Result.refusedBehind(1));

        assertThat(memory.blocked()).isEqualTo("2");
        assertThat(lanes.blocked(1).get(0).alone()).isTrue();
        memory.read("3");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("3");
    }

    @Test
    void a_refused_row_blocks_itself_alone_if_the_destination_holds_messages() {
        var alone = new LanesUnderTest(HoldPolicy.HOLD_MESSAGE);
        alone.read("a1", "a2");
        alone.send(Result.REFUSED);
        alone.read("a3");

        assertThat(alone.blocked()).isEqualTo("a1");
        assertThat(alone.lanes.blocked(1).get(0).alone()).isTrue();
        assertThat(alone.send(Result.ACCEPTED)).isEqualTo("a2 a3");
    }

    @Test
    void a_row_whose_session_is_held_joins_the_hold_and_so_do_later_ones() {
        memory.readHeld("a1");
        memory.read("a2", "b3");

        assertThat(memory.blocked()).isEqualTo("a1 a2");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("b3");
    }

    @Test
    void rows_that_have_moved_to_their_hold_unblock_the_session() {
        memory.readHeld("a1");
        memory.readHeld("b2");

        assertThat(lanes.unblocked(lanes.blocked(1), Set.of(1L))).isEqualTo(Long.MAX_VALUE);

        assertThat(memory.blocked()).isEqualTo("b2");
        assertThat(lanes.rows()).isEqualTo(1);
        memory.read("a3", "b4");
        assertThat(memory.blocked()).isEqualTo("b2 b4");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("a3");
    }

    @Test
    void a_hold_that_has_ended_drops_all_of_its_session_to_be_read_again_in_order() {
        memory.readHeld("a3");
        memory.readHeld("b4");
        memory.read("a5");

        assertThat(lanes.unblocked(lanes.blocked(1), Set.of())).isEqualTo(3);

        assertThat(memory.blocked()).isEqualTo("b4");
        assertThat(lanes.rows()).isEqualTo(1);
    }

    @Test
    void of_a_hold_that_has_ended_the_lowest_dropped_value_is_the_oldest() {
        memory.readHeld("a3");
        memory.readHeld("a5");

        assertThat(lanes.unblocked(lanes.blocked(2).subList(1, 2), Set.of())).isEqualTo(3);
        assertThat(lanes.isEmpty()).isTrue();
    }

    @Test
    void in_doubt_one_row_of_all_lanes_is_sent_and_the_oldest_first() {
        memory.read(5, "a2");
        memory.read(7, "b1");
        memory.read(7, "b3");

        List<Batch> one = lanes.beginOne();
        assertThat(one).singleElement().satisfies(batch -> {
            assertThat(batch.lane()).isEqualTo(7);
            assertThat(names(batch)).isEqualTo("b1");
        });
        assertThat(names(lanes.beginOne().get(0))).isEqualTo("a2");
        assertThat(lanes.beginOne()).isEmpty();
    }

    @Test
    void a_row_that_crashes_the_process_is_blocked_unsent_with_its_session() {
        memory.read("a1", "b2", "a3");
        Batch batch = memory.begin(1);
        lanes.refuseFirst(batch, new Cause("Crash", "it ends processes"));

        assertThat(memory.blocked()).isEqualTo("a1 a3");
        assertThat(lanes.blocked(1).get(0).cause()).isEqualTo(new Cause("Crash", "it ends processes"));
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("b2");

        lanes.refuseFirst(batch, new Cause("Crash", "again"));
        assertThat(memory.blocked()).isEqualTo("a1 a3");
    }

    @Test
    void reads_leave_a_full_lane_out_until_half_of_it_is_left() {
        for (int i = 1; i < Lane.FULL; i++) {
            memory.read(4, "a" + i);
        }
        assertThat(lanes.fullLanes()).isZero();
        memory.read(4, "a" + Lane.FULL);
        assertThat(lanes.fullLanes()).isEqualTo(1 << 4);

        lanes.collect(memory.begin(Lane.FULL / 2 - 1), PublishResult.accepted(Lane.FULL / 2 - 1));
        assertThat(lanes.fullLanes()).isEqualTo(1 << 4);
        lanes.collect(memory.begin(1), PublishResult.accepted(1));
        assertThat(lanes.fullLanes()).isZero();
    }

    @Test
    void another_server_empties_the_memory_once_what_is_in_flight_has_returned() {
        memory.read("a1", "b2");
        Batch batch = memory.begin(1);
        memory.readHeld("c3");
        lanes.abandon();

        assertThat(lanes.hasBlocked()).isFalse();
        assertThat(lanes.rows()).isEqualTo(1);
        assertThat(lanes.isWaiting()).isFalse();
        assertThat(lanes.mayRead()).isFalse();

        lanes.collect(batch, PublishResult.failed(0, new IllegalStateException("away")));
        assertThat(lanes.isEmpty()).isTrue();
        assertThat(lanes.mayRead()).isTrue();
        assertThat(lanes.bytes()).isZero();
        memory.read("c1");
        assertThat(memory.send(Result.ACCEPTED)).isEqualTo("c1");
    }

    @Test
    void what_was_accepted_meanwhile_is_settled_after_another_server_has_taken_over() {
        memory.read("a1");
        Batch batch = memory.begin();
        lanes.abandon();
        lanes.collect(batch, PublishResult.accepted(1));

        assertThat(memory.accepted()).isEqualTo("1");
        assertThat(lanes.mayRead()).isFalse();
        lanes.deleted(lanes.accepted(1));
        assertThat(lanes.mayRead()).isTrue();
    }
}
