package dev.waybill.servicebus.embedded.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlFilterArithmeticTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            1 + 2                        | 3
            1 - 2                        | -1
            2 * 3                        | 6
            7 / 2                        | 3
            -7 / 2                       | -3
            7 % 3                        | 1
            -7 % 3                       | -1
            1 + 2 * 3                    | 7
            (1 + 2) * 3                  | 9
            10 - 4 - 3                   | 3
            100 / 10 / 5                 | 2
            2 * 7 % 4                    | 2
            -2 * 3                       | -6
            - (2 + 3)                    | -5
            -(-5)                        | 5
            --5                          | 5
            - -5                         | 5
            +5                           | 5
            +-+5                         | -5
            1--1                         | 2
            1-1                          | 0
            9223372036854775807          | 9223372036854775807
            -9223372036854775808         | -9223372036854775808
            9223372036854775807 + 1      | -9223372036854775808
            -9223372036854775808 - 1     | 9223372036854775807
            3037000500 * 3037000500      | -9223372036709301616
            - (-9223372036854775808)     | -9223372036854775808
            """)
    void integers_compute_with_64_bits_and_wrap_around(String expression, long expected) {
        assertThat(SampleMessage.empty().valueOf(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            1.5 + 1              | 2.5
            7 / 2.0              | 3.5
            7.5 % 2              | 1.5
            2 * 0.5              | 1.0
            -1.5                 | -1.5
            1.0 / 0              | Infinity
            -1 / 0.0             | -Infinity
            0.0 / 0              | NaN
            1 % 0.0              | NaN
            1E308 * 10           | Infinity
            """)
    void a_double_makes_the_result_a_double_without_errors(String expression, double expected) {
        assertThat(SampleMessage.empty().valueOf(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            price + price        | 0.2
            price * 3            | 0.3
            price - 1            | -0.9
            price / 3            | 0.0333333333333333333333333333
            1 % price            | 0.0
            -price               | -0.1
            """)
    void decimals_compute_exactly(String expression, BigDecimal expected) {
        assertThat(SampleMessage.with("price", new BigDecimal("0.1")).valueOf(expression))
                .asInstanceOf(InstanceOfAssertFactories.BIG_DECIMAL)
                .isEqualByComparingTo(expected);
    }

    @Test
    void a_decimal_and_a_double_compute_as_doubles() {
        assertThat(SampleMessage.with("price", new BigDecimal("0.5")).valueOf("price + 0.25"))
                .isEqualTo(0.75);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'a' + 'b'            | ab
            'a' + 'b' + 'c'      | abc
            'a' + 1              | a1
            1 + 'a'              | 1a
            1 + 2 + 'a'          | 3a
            'a' + 1 + 2          | a12
            'a' + 1.5            | a1.5
            'a' + 2.0            | a2
            'a' + 1E300          | a1.0E300
            'a' + TRUE           | aTrue
            FALSE + 'a'          | Falsea
            'a' + price          | a1.50
            'x' + moment         | x2026-03-01T08:00:00Z
            'x' + minute         | xPT1M
            'x' + id             | x00000000-0000-0001-0000-000000000002
            """)
    void plus_concatenates_as_soon_as_one_side_is_text(String expression, String expected) {
        SampleMessage message = SampleMessage.with("price", new BigDecimal("1.50"))
                .and("moment", Instant.parse("2026-03-01T08:00:00Z"))
                .and("minute", Duration.ofMinutes(1))
                .and("id", new UUID(1, 2));

        assertThat(message.valueOf(expression)).isEqualTo(expected);
    }

    @Test
    void moments_and_durations_add_and_subtract() {
        Instant moment = Instant.parse("2026-03-01T08:00:00Z");
        Duration minute = Duration.ofMinutes(1);
        SampleMessage message = SampleMessage.with("t", moment).and("d", minute);

        assertThat(message.valueOf("t + d")).isEqualTo(moment.plus(minute));
        assertThat(message.valueOf("t - d")).isEqualTo(moment.minus(minute));
        assertThat(message.valueOf("t - (t - d)")).isEqualTo(minute);
        assertThat(message.valueOf("d + d - d")).isEqualTo(minute);
        assertThat(message.valueOf("-d")).isEqualTo(minute.negated());
        assertThat(message.valueOf("+d")).isEqualTo(minute);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "absent + 1",
                "1 - absent",
                "absent * absent",
                "1 / absent",
                "absent % 2",
                "-absent",
                "+absent",
                "NULL + 1",
                "-NULL",
                "'a' + absent",
                "absent + 'a'",
                "absent / 0",
                "(absent)"
            })
    void an_operand_without_a_value_leaves_the_result_without_one(String expression) {
        assertThat(SampleMessage.empty().valueOf(expression)).isNull();
        assertThat(SampleMessage.empty().truthOf(expression + " = 1")).isEqualTo(Truth.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            1 / 0                            | Division by zero
            1 % 0                            | Division by zero
            price / 0                        | Division by zero
            price % 0                        | Division by zero
            -9223372036854775808 / -1        | The result of '/' is out of range
            -9223372036854775808 % -1        | The result of '%' is out of range
            most * 10                        | The result of '*' is out of range
            lastMoment + minute              | The result of '+' is out of range
            longest + minute                 | The result of '+' is out of range
            -shortest                        | The result of '-' is out of range
            'a' - 'b'                        | Operator '-' does not take text and text
            'a' * 2                          | Operator '*' does not take text and an integer
            TRUE + 1                         | Operator '+' does not take a boolean and an integer
            TRUE + TRUE                      | Operator '+' does not take a boolean and a boolean
            newid() + 1                      | Operator '+' does not take a unique id and an integer
            'a' + bytes                      | Operator '+' does not take text and binary
            minute * 2                       | Operator '*' does not take a duration and an integer
            minute - lastMoment              | Operator '-' does not take a duration and a date and time
            lastMoment + lastMoment          | Operator '+' does not take a date and time and a date and time
            1.5 - TRUE                       | Operator '-' does not take a number and a boolean
            'a' + list                       | Operator '+' does not take text and a value of type ListN
            -'a'                             | A sign cannot precede text
            -TRUE                            | A sign cannot precede a boolean
            +'a'                             | A sign cannot precede text
            """)
    void what_cannot_be_computed_is_an_error_of_evaluation(String expression, String problem) {
        SampleMessage message = SampleMessage.with("price", new BigDecimal("1.5"))
                .and("most", new BigDecimal("79228162514264337593543950335"))
                .and("lastMoment", Instant.MAX)
                .and("longest", Duration.ofSeconds(Long.MAX_VALUE))
                .and("shortest", Duration.ofSeconds(Long.MIN_VALUE))
                .and("minute", Duration.ofMinutes(1))
                .and("bytes", new byte[] {1})
                .and("list", List.of());

        assertThatThrownBy(() -> message.passes(expression + " = 1"))
                .isInstanceOf(FilterEvaluationException.class)
                .hasMessage(problem);
    }

    @Test
    void concatenation_has_a_bound() {
        String half = "x".repeat(Arithmetic.MAX_TEXT / 2);
        SampleMessage message = SampleMessage.with("half", half);

        assertThat(message.valueOf("half + half")).isEqualTo(half + half);
        assertThatThrownBy(() -> message.valueOf("half + half + 'x'"))
                .isInstanceOf(FilterEvaluationException.class)
                .hasMessageContaining("longer than 65536 characters");
    }
}
