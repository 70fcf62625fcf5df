package dev.waybill.servicebus.embedded.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SqlFilterComparisonTest {

    private static final Instant MORNING = Instant.parse("2026-03-01T08:00:00Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            1 = 1               | TRUE
            1 = 2               | FALSE
            1 <> 2              | TRUE
            1 != 1              | FALSE
            1 < 2               | TRUE
            2 < 2               | FALSE
            2 <= 2              | TRUE
            3 <= 2              | FALSE
            3 > 2               | TRUE
            2 > 2               | FALSE
            2 >= 2              | TRUE
            1 >= 2              | FALSE
            1 = 1.0             | TRUE
            1 < 1.5             | TRUE
            1.5E1 = 15          | TRUE
            0.5E-2 = 0.005      | TRUE
            1e+2 = 100          | TRUE
            -0.0 = 0            | TRUE
            'a' = 'a'           | TRUE
            'a' = 'A'           | FALSE
            'a' <> 'A'          | TRUE
            'a' < 'b'           | TRUE
            'B' < 'a'           | TRUE
            'a' < 'aa'          | TRUE
            '10' < '9'          | TRUE
            'it''s' = 'it''s'   | TRUE
            '' = ''             | TRUE
            'é' > 'z'           | TRUE
            TRUE = true         | TRUE
            TRUE = FALSE        | FALSE
            TRUE <> FALSE       | TRUE
            """)
    void constants_compare_by_value(String expression, Truth expected) {
        assertThat(SampleMessage.empty().truthOf(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            1 = '1'
            1 <> '1'
            1 < '2'
            TRUE = 1
            TRUE = 'True'
            TRUE > FALSE
            1 = NULL
            NULL = NULL
            NULL <> NULL
            absent = absent
            absent <> 1
            newid() = 'x'
            newid() < newid()
            """)
    void unlike_types_and_missing_values_compare_as_unknown(String expression) {
        assertThat(SampleMessage.empty().truthOf(expression)).isEqualTo(Truth.UNKNOWN);
    }

    static List<Number> fives() {
        return List.of(
                (byte) 5,
                (short) 5,
                5,
                5L,
                5.0f,
                5.0,
                new BigDecimal("5.00"),
                BigInteger.valueOf(5),
                new AtomicInteger(5));
    }

    @ParameterizedTest
    @MethodSource("fives")
    void a_number_of_any_java_type_compares_by_value(Number five) {
        SampleMessage message = SampleMessage.with("n", five);

        assertThat(message.passes("n = 5 AND n = 5.0 AND n < 5.5 AND n > 4 AND n <> 6 AND n IN (4, 5)"))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("fives")
    void numbers_of_two_java_types_compare_by_value(Number five) {
        for (Number other : fives()) {
            assertThat(SampleMessage.with("a", five).and("b", other).truthOf("a = b"))
                    .isEqualTo(Truth.TRUE);
        }
    }

    static Stream<Arguments> likes() {
        UUID id = UUID.randomUUID();
        return Stream.of(
                Arguments.of("text", "text"),
                Arguments.of("x", 'x'),
                Arguments.of("text", CharBuffer.wrap("text")),
                Arguments.of(id, new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits())),
                Arguments.of(new byte[] {1, 2}, new byte[] {1, 2}),
                Arguments.of(MORNING, Date.from(MORNING)),
                Arguments.of(MORNING, OffsetDateTime.parse("2026-03-01T09:00:00+01:00")),
                Arguments.of(Duration.ofSeconds(60), Duration.ofMinutes(1)));
    }

    @ParameterizedTest
    @MethodSource("likes")
    void values_of_one_kind_are_equal_whatever_carries_them(Object left, Object right) {
        SampleMessage message = SampleMessage.with("a", left).and("b", right);

        assertThat(message.truthOf("a = b")).isEqualTo(Truth.TRUE);
        assertThat(message.truthOf("a <> b")).isEqualTo(Truth.FALSE);
    }

    @Test
    void moments_and_durations_are_ordered() {
        SampleMessage message = SampleMessage.with("early", MORNING)
                .and("late", Date.from(MORNING.plusSeconds(90)))
                .and("minute", Duration.ofMinutes(1));

        assertThat(message.passes("early < late AND late >= early AND late - early > minute"))
                .isTrue();
        assertThat(message.truthOf("late - early <= @limit", Map.of("@limit", Duration.ofSeconds(90))))
                .isEqualTo(Truth.TRUE);
        assertThat(message.truthOf("early < minute")).isEqualTo(Truth.UNKNOWN);
    }

    @Test
    void booleans_ids_and_binary_know_equality_only() {
        SampleMessage message =
                SampleMessage.with("flag", true).and("id", UUID.randomUUID()).and("bytes", new byte[] {1});

        assertThat(message.truthOf("flag <= flag")).isEqualTo(Truth.UNKNOWN);
        assertThat(message.truthOf("id >= id")).isEqualTo(Truth.UNKNOWN);
        assertThat(message.truthOf("bytes < bytes")).isEqualTo(Truth.UNKNOWN);
    }

    @Test
    void not_a_number_equals_nothing_and_is_ordered_by_nothing() {
        SampleMessage message = SampleMessage.with("nan", Double.NaN);

        assertThat(message.truthOf("nan = nan")).isEqualTo(Truth.FALSE);
        assertThat(message.truthOf("nan <> nan")).isEqualTo(Truth.TRUE);
        assertThat(message.truthOf("nan < 1 OR nan >= 1")).isEqualTo(Truth.FALSE);
    }

    @Test
    void integers_keep_every_digit_until_a_double_joins_them() {
        SampleMessage message = SampleMessage.with("big", Long.MAX_VALUE)
                .and("bigger", BigInteger.TWO.pow(64).subtract(BigInteger.ONE))
                .and("exact", new BigDecimal("9223372036854775806.5"));

        assertThat(message.passes("big = 9223372036854775807 AND big <> 9223372036854775806"))
                .isTrue();
        assertThat(message.passes("bigger > big AND exact < big AND exact > 9223372036854775806"))
                .isTrue();
        assertThat(message.passes("big = 9223372036854775807.0")).isTrue();
        assertThat(message.passes("-9223372036854775808 < big")).isTrue();
    }

    @Test
    void decimals_beyond_the_brokers_range_compare_as_doubles_and_cost_no_more() {
        SampleMessage message = SampleMessage.with("huge", new BigDecimal("1E+300"))
                .and("endless", new BigDecimal("1E+2000000000"))
                .and("tiny", new BigDecimal("1E-2000000000"));

        assertThat(message.passes("huge = 1E300 AND endless > huge AND tiny = 0"))
                .isTrue();
    }

    @Test
    void a_value_of_an_unsupported_type_exists_but_compares_with_nothing() {
        SampleMessage message = SampleMessage.with("list", List.of(1)).and("same", List.of(1));

        assertThat(message.passes("EXISTS(list) AND list IS NOT NULL")).isTrue();
        assertThat(message.truthOf("list = same")).isEqualTo(Truth.UNKNOWN);
        assertThat(message.truthOf("list = 1")).isEqualTo(Truth.UNKNOWN);
    }
}
