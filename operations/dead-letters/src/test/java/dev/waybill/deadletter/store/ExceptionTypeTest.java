package dev.waybill.deadletter.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ExceptionTypeTest {
    private static final Pattern NAME =
            Pattern.compile("(?:[A-Za-z_$][\\w$]*\\.)*[A-Za-z_$][\\w$]*(?:Exception|Error)\\b");

    @Test
    @Tag("long")
    void names_are_found_as_a_regular_expression_would_find_them() {
        String[] parts = {"a", "Bad", "Exception", "Error", ".", "$", "9", " ", ":", "_", "Exceptions", "Er"};
        var random = new Random(7);
        for (int i = 0; i < 100_000; i++) {
            var text = new StringBuilder();
            for (int j = random.nextInt(9); j >= 0; j--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            Matcher matcher = NAME.matcher(text);
            assertThat(ExceptionType.of(text.toString(), ""))
                    .as(text.toString())
                    .isEqualTo(matcher.find() ? matcher.group() : null);
        }
    }

    // Each would cost the regular expression a second.
    @Test
    @Timeout(60)
    @Tag("long")
    void texts_that_are_almost_names_cost_a_collector_nothing() {
        for (String almost : new String[] {"a", "a.", "Exception", "a.Exception9", "$", "Error$", "9a", "ab0f "}) {
            String text = almost.repeat(2_000 / almost.length()) + " !";
            for (int i = 0; i < 2_000; i++) {
                String unused = ExceptionType.of(text, text);
            }
        }
    }
}
