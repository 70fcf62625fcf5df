package dev.waybill.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.benchmarks.measure.Rounds.Pairs;
import dev.waybill.benchmarks.measure.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void the_median_of_an_odd_number_is_the_middle_one() {
        assertThat(Spread.of(List.of(3.0, 1.0, 9.0))).isEqualTo(new Spread(3, 1, 9, 3));
    }

    @Test
    void the_median_of_an_even_number_lies_between_the_middle_two() {
        assertThat(Spread.of(List.of(4.0, 1.0, 9.0, 2.0))).isEqualTo(new Spread(3, 1, 9, 4));
    }

    @Test
    void a_figure_needs_a_round() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_ratio_is_taken_round_by_round() {
        var pairs = new Pairs(List.of(10.0, 30.0, 20.0), List.of(10.0, 10.0, 40.0));

        assertThat(pairs.ratio()).isEqualTo(new Spread(1, 0.5, 3, 3));
    }
}
