package dev.waybill.servicebus.embedded.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlFilterMembershipTest {

    private static final SampleMessage MESSAGE = SampleMessage.with("color", "red")
            .and("size", 5)
            .and("nothing", null)
            .and("name", "size")
            .and(SystemProperty.LABEL, "order");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            color IN ('red')                          | TRUE
            color IN ('blue', 'red')                  | TRUE
            color IN('blue','green')                  | FALSE
            color NOT IN ('blue')                     | TRUE
            color NOT IN ('red')                      | FALSE
            color IN ('RED')                          | FALSE
            size IN (1, 2 + 3)                        | TRUE
            size IN (5.0)                             | TRUE
            size + 1 IN (6)                           | TRUE
            size IN ('5', color, 5)                   | TRUE
            size NOT IN ('5', color)                  | TRUE
            absent IN (1)                             | UNKNOWN
            absent NOT IN (1)                         | UNKNOWN
            nothing IN (NULL)                         | UNKNOWN
            NULL IN (1)                               | UNKNOWN
            size IN (NULL, absent, 5)                 | TRUE
            size IN (NULL, absent)                    | FALSE
            size NOT IN (NULL, absent)                | TRUE
            sys.Label IN ('order', 'refund')          | TRUE
            sys.To IN ('order') OR size = 5           | TRUE
            """)
    void in_looks_for_an_equal_entry_and_skips_those_without_a_value(String expression, Truth expected) {
        assertThat(MESSAGE.truthOf(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            color IS NULL              | FALSE
            color IS NOT NULL          | TRUE
            absent IS NULL             | TRUE
            absent IS NOT NULL         | FALSE
            nothing IS NULL            | TRUE
            nothing IS NOT NULL        | FALSE
            sys.Label IS NULL          | FALSE
            sys.To IS NULL             | TRUE
            user.absent IS NULL        | TRUE
            NOT absent IS NULL         | FALSE
            EXISTS(color)              | TRUE
            EXISTS ( COLOR )           | TRUE
            EXISTS(absent)             | FALSE
            EXISTS(nothing)            | TRUE
            NOT EXISTS(absent)         | TRUE
            EXISTS(user.color)         | TRUE
            EXISTS(sys.Label)          | TRUE
            EXISTS(sys.To)             | FALSE
            EXISTS([color])            | TRUE
            (EXISTS(color)) AND 1 = 1  | TRUE
            """)
    void null_tests_and_exists_are_never_unknown(String expression, Truth expected) {
        assertThat(MESSAGE.truthOf(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            property('size') = 5          | TRUE
            P('SIZE') = 5                 | TRUE
            p(name) = 5                   | TRUE
            p('si' + 'ze') = 5            | TRUE
            p(p('name')) = 5              | TRUE
            p('absent') = 5               | UNKNOWN
            p(absent) = 5                 | UNKNOWN
            p('sys.Label') = 'order'      | UNKNOWN
            newid() <> newid()            | TRUE
            NEWID() = newid()             | FALSE
            """)
    void functions_read_properties_by_computed_name_and_make_ids(String expression, Truth expected) {
        assertThat(MESSAGE.truthOf(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"p(size) = 1", "property(1) = 1", "p(newid()) = 1"})
    void a_property_name_that_is_not_text_is_an_error_of_evaluation(String expression) {
        assertThatThrownBy(() -> MESSAGE.passes(expression))
                .isInstanceOf(FilterEvaluationException.class)
                .hasMessageContaining("name as text");
    }
}
