package dev.waybill.servicebus.embedded.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlFilterLikeTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'order' LIKE 'order'                   | TRUE
            'order' LIKE 'ORDER'                   | FALSE
            'order' LIKE 'ord'                     | FALSE
            'order' LIKE 'ord%'                    | TRUE
            'order' LIKE '%der'                    | TRUE
            'order' LIKE '%rde%'                   | TRUE
            'order' LIKE 'o%r'                     | TRUE
            'order' LIKE 'o%d'                     | FALSE
            'order' LIKE '%'                       | TRUE
            'order' LIKE '%%%'                     | TRUE
            'order' LIKE 'order%'                  | TRUE
            'order' LIKE '_____'                   | TRUE
            'order' LIKE '____'                    | FALSE
            'order' LIKE '______'                  | FALSE
            'order' LIKE 'o_d_r'                   | TRUE
            'order' LIKE '_%_'                     | TRUE
            'order' LIKE 'o' + '%'                 | TRUE
            'order' NOT LIKE 'o%'                  | FALSE
            'order' NOT LIKE 'x%'                  | TRUE
            'or' + 'der' LIKE 'order'              | TRUE
            '' LIKE ''                             | TRUE
            '' LIKE '%'                            | TRUE
            '' LIKE '_'                            | FALSE
            'a' LIKE ''                            | FALSE
            'aXbXc' LIKE 'a%X%c'                   | TRUE
            'aab' LIKE '%ab'                       | TRUE
            'abab' LIKE '%ab'                      | TRUE
            'mississippi' LIKE '%iss%ip%'          | TRUE
            'mississippi' LIKE '%issip%iss%'       | FALSE
            'a.c' LIKE 'a.c'                       | TRUE
            'abc' LIKE 'a.c'                       | FALSE
            'a*c' LIKE 'a*c'                       | TRUE
            'a[b]' LIKE 'a[b]'                     | TRUE
            'it''s' LIKE '%''%'                    | TRUE
            """)
    void percent_stands_for_any_text_and_underscore_for_any_character(String expression, Truth expected) {
        assertThat(SampleMessage.empty().truthOf(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'ABC%' LIKE 'ABC\\%' ESCAPE '\\'         | TRUE
            'ABCD' LIKE 'ABC\\%' ESCAPE '\\'         | FALSE
            'a_c' LIKE 'a!_c' ESCAPE '!'             | TRUE
            'abc' LIKE 'a!_c' ESCAPE '!'             | FALSE
            'a!c' LIKE 'a!!c' ESCAPE '!'             | TRUE
            'a!' LIKE 'a!!' ESCAPE '!'               | TRUE
            'abc' LIKE 'a!bc' ESCAPE '!'             | TRUE
            '50%' LIKE '%!%' ESCAPE '!'              | TRUE
            '505' LIKE '%!%' ESCAPE '!'              | FALSE
            'a%b' LIKE 'a%%b' ESCAPE '%'             | TRUE
            'axb' LIKE 'a%%b' ESCAPE '%'             | FALSE
            'a\\b' LIKE 'a\\b'                       | TRUE
            'a%' NOT LIKE 'a!%' ESCAPE '!'           | FALSE
            'ab' NOT LIKE 'a!%' ESCAPE '!'           | TRUE
            """)
    void the_escape_character_makes_the_next_character_literal(String expression, Truth expected) {
        assertThat(SampleMessage.empty().truthOf(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            text LIKE pattern                      | TRUE
            text LIKE pattern + 'x'                | FALSE
            text LIKE literal ESCAPE mark          | TRUE
            text LIKE literal                      | FALSE
            text NOT LIKE pattern                  | FALSE
            absent LIKE '%'                        | UNKNOWN
            absent NOT LIKE '%'                    | UNKNOWN
            text LIKE absent                       | UNKNOWN
            text LIKE NULL                         | UNKNOWN
            text LIKE '%' ESCAPE absent            | UNKNOWN
            text LIKE '%' ESCAPE NULL              | UNKNOWN
            number LIKE '5%'                       | UNKNOWN
            number NOT LIKE '5%'                   | UNKNOWN
            number LIKE pattern                    | UNKNOWN
            """)
    void patterns_may_come_from_properties_and_be_unknown(String expression, Truth expected) {
        SampleMessage message = SampleMessage.with("text", "50%")
                .and("pattern", "5_%")
                .and("literal", "50#%")
                .and("mark", "#")
                .and("number", 50);

        assertThat(message.truthOf(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'a' LIKE 5",
                "'a' LIKE 'a' ESCAPE ''",
                "'a' LIKE 'a' ESCAPE 'xy'",
                "'a' LIKE 'a' ESCAPE 1",
                "'a' LIKE 'a!' ESCAPE '!'"
            })
    void a_constant_pattern_that_cannot_work_is_a_syntax_error(String expression) {
        assertThatThrownBy(() -> SqlFilter.parse(expression)).isInstanceOf(FilterSyntaxException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text LIKE number",
                "text LIKE text ESCAPE text",
                "text LIKE text ESCAPE number",
                "text LIKE trailing ESCAPE mark"
            })
    void a_pattern_from_a_property_that_cannot_work_is_an_error_of_evaluation(String expression) {
        SampleMessage message = SampleMessage.with("text", "abc")
                .and("number", 5)
                .and("trailing", "ab!")
                .and("mark", "!");

        assertThatThrownBy(() -> message.passes(expression)).isInstanceOf(FilterEvaluationException.class);
    }

    @Test
    void a_pattern_made_to_backtrack_stays_cheap() {
        SampleMessage message = SampleMessage.with("text", "a".repeat(30_000));
        String pattern = "%a".repeat(400) + "%b";

        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThat(message.passes("text LIKE '" + pattern + "'")).isFalse());
    }
}
