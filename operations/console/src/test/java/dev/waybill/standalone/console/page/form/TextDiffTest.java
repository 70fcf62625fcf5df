package dev.waybill.standalone.console.page.form;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextDiffTest {
    private static List<String> shown(List<String> before, List<String> after) {
        return TextDiff.between(before, after).stream()
                .map(line -> line.sign() + line.text())
                .toList();
    }

    @Test
    void a_changed_line_stands_between_its_neighbours_and_the_rest_is_left_out() {
        List<String> before = IntStream.range(0, 20).mapToObj(n -> "line " + n).toList();
        var after = new ArrayList<>(before);
        after.set(10, "other");

        assertThat(shown(before, after))
                .containsExactly(
                        " … 7 lines as before",
                        " line 7",
                        " line 8",
                        " line 9",
                        "-line 10",
                        "+other",
                        " line 11",
                        " line 12",
                        " line 13",
                        " … 6 lines as before");
    }

    @Test
    void what_turns_the_reading_order_is_an_escape() {
        assertThat(shown(List.of("a"), List.of("\u202eb"))).containsExactly("-a", "+\\u{202e}b");
    }

    @Test
    void no_line_is_lost_or_made_up() {
        var random = new Random(7);
        for (int round = 0; round < 300; round++) {
            List<String> before = random.ints(random.nextInt(9), 0, 4)
                    .mapToObj(String::valueOf)
                    .toList();
            List<String> after = random.ints(random.nextInt(9), 0, 4)
                    .mapToObj(String::valueOf)
                    .toList();
            List<TextDiff.Line> lines = TextDiff.between(before, after);
            if (lines.stream().noneMatch(line -> line.kind() == TextDiff.Kind.LEFT_OUT)) {
                assertThat(texts(lines, TextDiff.Kind.NEW)).isEqualTo(before);
                assertThat(texts(lines, TextDiff.Kind.GONE)).isEqualTo(after);
            }
        }
    }

    private static List<String> texts(List<TextDiff.Line> lines, TextDiff.Kind without) {
        return lines.stream()
                .filter(line -> line.kind() != without)
                .map(TextDiff.Line::text)
                .toList();
    }

    @Test
    void texts_that_are_too_long_to_compare_are_shown_as_replaced() {
        List<String> many = Collections.nCopies(3_000, "a");
        assertThat(shown(many, Collections.nCopies(3_000, "b"))).hasSize(6_000);
    }
}
