package dev.waybill.servicebus.embedded.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFilterLogicTest {

    private static final String TRUE = "1 = 1";
    private static final String FALSE = "1 = 2";
    private static final String UNKNOWN = "absent = 1";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            TRUE    | TRUE    | TRUE
            TRUE    | FALSE   | FALSE
            TRUE    | UNKNOWN | UNKNOWN
            FALSE   | TRUE    | FALSE
            FALSE   | FALSE   | FALSE
            FALSE   | UNKNOWN | FALSE
            UNKNOWN | TRUE    | UNKNOWN
            UNKNOWN | FALSE   | FALSE
            UNKNOWN | UNKNOWN | UNKNOWN
            """)
    void and_follows_its_truth_table(Truth left, Truth right, Truth expected) {
        assertThat(SampleMessage.empty().truthOf(condition(left) + " AND " + condition(right)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            TRUE    | TRUE    | TRUE
            TRUE    | FALSE   | TRUE
            TRUE    | UNKNOWN | TRUE
            FALSE   | TRUE    | TRUE
            FALSE   | FALSE   | FALSE
            FALSE   | UNKNOWN | UNKNOWN
            UNKNOWN | TRUE    | TRUE
            UNKNOWN | FALSE   | UNKNOWN
            UNKNOWN | UNKNOWN | UNKNOWN
            """)
    void or_follows_its_truth_table(Truth left, Truth right, Truth expected) {
        assertThat(SampleMessage.empty().truthOf(condition(left) + " OR " + condition(right)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"TRUE, FALSE", "FALSE, TRUE", "UNKNOWN, UNKNOWN"})
    void not_leaves_unknown_as_it_is(Truth operand, Truth expected) {
        assertThat(SampleMessage.empty().truthOf("NOT " + condition(operand))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            1 = 1 OR 1 = 2 AND 1 = 2              | TRUE
            (1 = 1 OR 1 = 2) AND 1 = 2            | FALSE
            NOT 1 = 2 AND 1 = 2                   | FALSE
            NOT (1 = 2 AND 1 = 2)                 | TRUE
            NOT NOT 1 = 1                         | TRUE
            ((1 = 1))                             | TRUE
            1 = 2 OR 1 = 2 OR 1 = 1               | TRUE
            1 = 1 AND 1 = 1 AND 1 = 2             | FALSE
            (1 + 1) * 2 = 4 AND ((2)) = 2         | TRUE
            not 1 = 2 aNd 1 = 1 oR 1 = 2          | TRUE
            """)
    void not_binds_tighter_than_and_which_binds_tighter_than_or(String expression, Truth expected) {
        assertThat(SampleMessage.empty().truthOf(expression)).isEqualTo(expected);
    }

    @Test
    void a_decided_side_spares_the_other_its_evaluation() {
        assertThat(SampleMessage.empty().truthOf("1 = 2 AND 1 / 0 = 1")).isEqualTo(Truth.FALSE);
        assertThat(SampleMessage.empty().passes("1 = 1 OR 1 / 0 = 1")).isTrue();
    }

    @Test
    void a_filter_selects_neither_the_false_nor_the_unknown() {
        assertThat(SampleMessage.empty().passes(FALSE)).isFalse();
        assertThat(SampleMessage.empty().passes(UNKNOWN)).isFalse();
        assertThat(SampleMessage.empty().passes("NOT " + UNKNOWN)).isFalse();
    }

    @Test
    void the_true_filter_selects_everything_and_the_false_filter_nothing() {
        assertThat(RuleFilter.all().matches(SampleMessage.empty())).isTrue();
        assertThat(RuleFilter.none().matches(SampleMessage.empty())).isFalse();
    }

    private static String condition(Truth truth) {
        return switch (truth) {
            case TRUE -> TRUE;
            case FALSE -> FALSE;
            case UNKNOWN -> UNKNOWN;
        };
    }
}
