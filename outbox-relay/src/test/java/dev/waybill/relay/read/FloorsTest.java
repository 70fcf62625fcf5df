package dev.waybill.relay.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.lease.HandClock;
import dev.waybill.relay.read.Floors.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FloorsTest {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final HandClock clock = new HandClock();
    private final Floors floors = new Floors(clock);

    @Test
    void a_floor_rises_to_a_mark_when_all_transactions_before_it_have_ended() {
        read(100, 10, 5);
        floors.mark(100, 10);

        assertThat(closed(read(100, 12, 5))).as("5 runs").isZero();
        assertThat(closed(read(100, 12))).isEqualTo(100);
    }

    @Test
    void a_mark_at_or_above_xmax_is_not_closed_for_who_runs_there_is_not_listed() {
        read(100, 9);
        floors.mark(100, 10);

        assertThat(closed(read(100, 10))).isZero();
        assertThat(closed(read(100, 11))).isEqualTo(100);
    }

    @Test
    void a_mark_whose_own_transaction_is_the_oldest_that_runs_is_not_closed() {
        read(100, 9);
        floors.mark(100, 10);

        assertThat(closed(read(100, 12, 10))).isZero();
    }

    @Test
    void a_floor_rises_no_further_than_a_cut_read_reached() {
        raise(100, 50);
        assertThat(floors.of("orders")).as("cut at 50").isEqualTo(50);

        raise(100, NO_LIMIT);
        assertThat(floors.of("orders")).isEqualTo(100);

        raise(60, NO_LIMIT);
        assertThat(floors.of("orders")).as("a raise lowers nothing").isEqualTo(100);
        assertThat(floors.of("bills")).as("not asked").isZero();
    }

    @Test
    void a_row_that_memory_lets_go_takes_its_own_floor_back() {
        raise(100, NO_LIMIT);
        floors.raise("bills", 100, NO_LIMIT);

        floors.fallBelow("orders", 40);

        assertThat(floors.of("orders")).isEqualTo(39);
        assertThat(floors.of("bills")).isEqualTo(100);
        floors.fallBelow("orders", 90);
        assertThat(floors.of("orders")).isEqualTo(39);
    }

    @Test
    void a_transaction_of_less_than_a_second_keeps_marks_open_and_a_slow_one_does_not() {
        read(100, 10);
        floors.mark(100, 20);
        read(100, 25, 15);

        clock.advance(Duration.ofMillis(900));
        assertThat(closed(read(100, 25, 15))).isZero();
        clock.advance(Duration.ofMillis(200));
        assertThat(closed(read(100, 25, 15))).isEqualTo(100);
    }

    @Test
    void rows_of_a_read_that_shows_the_end_of_a_slow_transaction_are_not_used_and_the_floors_fall() {
        slowOne(15, 100);
        raise(100, NO_LIMIT);

        assertThat(floors.accept(header(120, 30))).isEqualTo(Verdict.REPEAT);

        assertThat(floors.of("orders")).as("no mark was there before its id").isZero();
        assertThat(floors.accept(header(120, 30))).isEqualTo(Verdict.USE);
    }

    @Test
    void the_end_of_one_slow_transaction_covers_all_others_so_that_there_is_never_a_third_read() {
        floors.accept(header(40, 10));
        floors.mark(40, 11);
        slowOne(15, 60);
        floors.accept(header(60, 27, 15, 26));
        clock.advance(Duration.ofMillis(1100));
        floors.accept(header(60, 28, 15, 26));
        raise(60, NO_LIMIT);

        assertThat(floors.accept(header(60, 30, 15))).as("26 has ended").isEqualTo(Verdict.REPEAT);
        assertThat(floors.of("orders")).as("below what 15 may bring").isEqualTo(40);
        floors.accept(header(60, 31));
        assertThat(floors.of("orders")).isEqualTo(40);
    }

    @Test
    void a_fast_transaction_that_ends_repeats_nothing() {
        floors.accept(header(40, 10));
        floors.mark(40, 20);
        floors.accept(header(40, 25, 15));
        clock.advance(Duration.ofMillis(900));

        assertThat(floors.accept(header(40, 25))).isEqualTo(Verdict.USE);
    }

    @Test
    void a_slow_transaction_is_above_the_newest_mark_before_its_id_and_below_later_ones() {
        floors.accept(header(10, 4));
        floors.mark(10, 5);
        floors.closedValue(new Snapshot(6, Set.of()));
        floors.accept(header(20, 6));
        floors.mark(20, 9);
        floors.accept(header(30, 12, 8));
        floors.mark(30, 13);
        clock.advance(Duration.ofMillis(1100));
        assertThat(closed(read(30, 14, 8))).isEqualTo(30);
        raise(30, NO_LIMIT);

        assertThat(floors.accept(header(30, 14))).isEqualTo(Verdict.REPEAT);

        assertThat(floors.of("orders"))
                .as("8 came after the mark of 5: not 0, a walk over everything; before that of 9: not 20")
                .isEqualTo(10);
    }

    @Test
    void the_newest_closed_mark_is_kept_however_many_are_closed_after_it() {
        for (long i = 1; i <= 50; i++) {
            floors.accept(header(10 * i, 10 * i));
            floors.mark(10 * i, 10 * i);
            floors.closedValue(new Snapshot(10 * i, Set.of()));
        }
        // Its id is above the mark of 490 and below that of 500.
        floors.accept(header(500, 502, 495));
        clock.advance(Duration.ofMillis(1100));
        floors.accept(header(500, 502, 495));
        raise(500, NO_LIMIT);

        floors.accept(header(500, 502));

        assertThat(floors.of("orders")).isEqualTo(490);
    }

    @Test
    void nothing_that_is_remembered_outlives_its_server() {
        Snapshot seen = read(100, 10);
        floors.mark(100, 9);
        raise(closed(seen), NO_LIMIT);
        assertThat(floors.of("orders")).isEqualTo(100);

        assertThat(floors.accept(new ReadHeader(new Snapshot(500, Set.of()), 200, null, "another", false, List.of())))
                .isEqualTo(Verdict.OTHER_SERVER);

        assertThat(floors.of("orders")).isZero();
        assertThat(floors.closedValue(new Snapshot(500, Set.of()))).isZero();
    }

    @Test
    void a_sequence_or_an_id_that_goes_back_is_another_history() {
        read(100, 50);
        raise(100, NO_LIMIT);

        assertThat(floors.accept(header(99, 50))).isEqualTo(Verdict.OTHER_SERVER);
        assertThat(floors.of("orders")).isZero();
        assertThat(floors.accept(header(99, 50))).isEqualTo(Verdict.USE);
        assertThat(floors.accept(header(99, 49))).isEqualTo(Verdict.OTHER_SERVER);
    }

    @Test
    void a_slow_transaction_of_another_server_is_forgotten() {
        slowOne(15, 100);

        floors.accept(new ReadHeader(new Snapshot(500, Set.of()), 200, null, "another", false, List.of()));

        assertThat(floors.accept(new ReadHeader(new Snapshot(501, Set.of()), 200, null, "another", false, List.of())))
                .isEqualTo(Verdict.USE);
    }

    @Test
    void a_transaction_is_slow_only_after_a_whole_second_wherever_the_clock_began() {
        clock.advance(Duration.ofHours(1));
        read(100, 10);
        floors.mark(100, 20);
        read(100, 25, 15);

        clock.advance(Duration.ofSeconds(1));
        assertThat(closed(read(100, 25, 15))).isZero();
    }

    @Test
    void a_mark_that_is_still_open_does_not_displace_the_closed_one_before_it() {
        read(10, 4);
        floors.mark(10, 5);
        read(20, 9);
        floors.mark(20, 10);

        Snapshot seen = read(20, 12, 10);
        assertThat(closed(seen)).isEqualTo(10);
        assertThat(closed(seen)).as("once more").isEqualTo(10);
    }

    @Test
    void a_transaction_of_the_new_server_is_no_older_than_the_server() {
        slowOne(15, 100);
        Snapshot running = new Snapshot(20, Set.of(15L));
        floors.accept(new ReadHeader(running, 200, null, "another", false, List.of()));

        assertThat(floors.accept(new ReadHeader(new Snapshot(20, Set.of()), 200, null, "another", false, List.of())))
                .isEqualTo(Verdict.USE);
    }

    @Test
    void a_slow_transaction_with_the_id_of_a_mark_is_above_the_mark_before_it() {
        floors.accept(header(10, 4));
        floors.mark(10, 5);
        floors.accept(header(20, 6));
        floors.mark(20, 8);
        floors.accept(header(20, 9, 8));
        clock.advance(Duration.ofMillis(1100));
        floors.accept(header(20, 14, 8));
        raise(20, NO_LIMIT);

        floors.accept(header(20, 14));

        assertThat(floors.of("orders")).isEqualTo(10);
    }

    @Test
    void a_mark_is_needed_only_where_a_floor_would_rise() {
        assertThat(floors.needsMark(List.of("orders"), 0)).isFalse();
        assertThat(floors.needsMark(List.of("orders"), 10)).isTrue();
        floors.mark(10, 5);
        assertThat(floors.needsMark(List.of("orders"), 10)).as("it is there").isFalse();
        assertThat(floors.needsMark(List.of("orders"), 11)).isTrue();
        floors.raise("orders", 11, NO_LIMIT);
        assertThat(floors.needsMark(List.of("orders"), 11)).isFalse();
    }

    // A transaction that has been running for longer than a second, and a mark above it.
    private void slowOne(long id, long value) {
        floors.accept(header(value, id + 1, id));
        floors.mark(value, id + 5);
        clock.advance(Duration.ofMillis(1100));
        floors.accept(header(value, id + 10, id));
    }

    private void raise(long closed, long lastRead) {
        floors.raise("orders", closed, lastRead);
    }

    private long closed(Snapshot snapshot) {
        return floors.closedValue(snapshot);
    }

    private Snapshot read(long lastValue, long xmax, long... running) {
        ReadHeader header = header(lastValue, xmax, running);
        floors.accept(header);
        return header.snapshot();
    }

    private static ReadHeader header(long lastValue, long xmax, long... running) {
        Set<Long> ids = LongStream.of(running).boxed().collect(Collectors.toSet());
        return new ReadHeader(new Snapshot(xmax, ids), lastValue, null, "server", false, List.of());
    }
}
