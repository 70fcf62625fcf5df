package dev.waybill.servicebus.embedded.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlFilterSyntaxTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                       | 0  | Expected a value but found the end of the expression
            a                        | 1  | Expected a comparison, LIKE, IN or IS NULL but found the end of the expression
            TRUE                     | 4  | Expected a comparison, LIKE, IN or IS NULL but found the end of the expression
            NOT a                    | 5  | Expected a comparison, LIKE, IN or IS NULL but found the end of the expression
            a AND b = 1              | 2  | Expected a comparison, LIKE, IN or IS NULL but found AND
            a = 1 OR b               | 10 | Expected a comparison, LIKE, IN or IS NULL but found the end of the expression
            (a + 1)                  | 7  | Expected a comparison, LIKE, IN or IS NULL but found the end of the expression
            a =                      | 3  | Expected a value but found the end of the expression
            = 1                      | 0  | Expected a value but found '='
            a == 1                   | 3  | Expected a value but found '='
            a = 1 b                  | 6  | Expected AND, OR or the end of the expression but found 'b'
            a = 1 = 2                | 6  | Expected AND, OR or the end of the expression but found '='
            a = 1)                   | 5  | Expected AND, OR or the end of the expression but found ')'
            a = 1;                   | 5  | Expected AND, OR or the end of the expression but found ';'
            (a = 1                   | 6  | Expected ')' but found the end of the expression
            (a = 1) + 2 = 3          | 0  | A condition cannot stand for a value
            2 + (a = 1) = 3          | 4  | A condition cannot stand for a value
            2 * (a = 1) = 3          | 4  | A condition cannot stand for a value
            -(a = 1) = 3             | 1  | A condition cannot stand for a value
            a = (b = 1)              | 4  | A condition cannot stand for a value
            a IN ()                  | 6  | Expected a value but found ')'
            a IN (1,)                | 8  | Expected a value but found ')'
            a IN (1 2)               | 8  | Expected ')' but found '2'
            a IN 1                   | 5  | Expected '(' but found '1'
            a IN ((b = 1))           | 6  | A condition cannot stand for a value
            a NOT = 1                | 6  | Expected LIKE or IN but found '='
            a NOT NULL               | 6  | Expected LIKE or IN but found NULL
            a IS 1                   | 5  | Expected NULL but found '1'
            a IS NOT 1               | 9  | Expected NULL but found '1'
            1 IS NULL                | 2  | Only a property can be tested with IS NULL
            a + 1 IS NULL            | 6  | Only a property can be tested with IS NULL
            p('a') IS NULL           | 7  | Only a property can be tested with IS NULL
            EXISTS a                 | 7  | Expected '(' but found 'a'
            EXISTS(1)                | 7  | Expected a property but found '1'
            EXISTS('a')              | 7  | Expected a property but found text
            EXISTS(p('a'))           | 8  | Expected ')' but found '('
            EXISTS(a) = 1            | 10 | Expected AND, OR or the end of the expression but found '='
            a LIKE                   | 6  | Expected a value but found the end of the expression
            a LIKE 5                 | 7  | LIKE takes a pattern as text, not an integer
            a LIKE 'x' ESCAPE 'yy'   | 7  | ESCAPE takes text of one character
            a = f(1)                 | 4  | There is no function f()
            a = newid(1)             | 10 | Expected ')' but found '1'
            a = p()                  | 6  | Expected a value but found ')'
            a = and                  | 4  | Expected a value but found AND
            sys. = 1                 | 5  | Expected a property but found '='
            mine.a = 1               | 0  | The scope of a property is sys or user, not mine
            [sys].Label = 'a'        | 0  | The scope of a property is sys or user, not sys
            user.a.b = 1             | 6  | Expected a comparison, LIKE, IN or IS NULL but found '.'
            EXISTS(Set)              | 7  | SET is a reserved word; a property of that name is written [Set]
            user.in = 1              | 5  | IN is a reserved word; a property of that name is written [in]
            set = 1                  | 0  | Expected a value but found SET
            """)
    void what_the_grammar_lacks_is_refused_where_it_begins(String expression, int position, String problem) {
        FilterSyntaxException refusal =
                catchThrowableOfType(FilterSyntaxException.class, () -> SqlFilter.parse(expression));

        assertThat(refusal).hasMessage(problem + " (at position " + position + ")");
        assertThat(refusal.position()).isEqualTo(position);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a = 'x                       | 4 | Nothing closes the quoted text
            a = 'x''                     | 4 | Nothing closes the quoted text
            [a = 1                       | 0 | Nothing closes the quoted name
            "a = 1                       | 0 | Nothing closes the quoted name
            [] = 1                       | 0 | A name cannot be empty
            "" = 1                       | 0 | A name cannot be empty
            a = 1x                       | 4 | A number cannot run into a word
            a = 1_000                    | 4 | A number cannot run into a word
            a = 0x1F                     | 4 | A number cannot run into a word
            a = 1.                       | 4 | A number needs digits after '1.'
            a = 1.e5                     | 4 | A number needs digits after '1.'
            a = 1E                       | 4 | A number needs digits after '1E'
            a = 1E+                      | 4 | A number needs digits after '1E+'
            a = 9223372036854775808      | 4 | The integer 9223372036854775808 does not fit into 64 bits
            a = -9223372036854775809     | 5 | The integer -9223372036854775809 does not fit into 64 bits
            a = 1E999                    | 4 | The number 1E999 is too large
            a ! 1                        | 2 | Unexpected character '!'
            a & b = 1                    | 2 | Unexpected character '&'
            _a = 1                       | 0 | Unexpected character '_'
            $a = 1                       | 0 | Unexpected character '$'
            a = @                        | 4 | A parameter needs a name after '@'
            a = @1                       | 4 | A parameter needs a name after '@'
            a = ?                        | 4 | Unexpected character '?'
            a = ٣                        | 4 | Unexpected character '٣'
            """)
    void words_that_do_not_exist_are_refused_where_they_begin(String expression, int position, String problem) {
        assertThatThrownBy(() -> SqlFilter.parse(expression))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessage(problem + " (at position " + position + ")");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = .5",
                "a = N'text'",
                "a = 'x' 'y'",
                "a IS NULL = TRUE",
                "a <> = 1",
                "a > < 1",
                "a <=> 1",
                "a >< 1",
                "a =< 1",
                "()"
            })
    void dialects_of_other_sql_are_refused(String expression) {
        assertThatThrownBy(() -> SqlFilter.parse(expression)).isInstanceOf(FilterSyntaxException.class);
    }

    @Test
    void white_space_of_all_kinds_separates() {
        assertThat(SampleMessage.with("a", 1).passes("\n a\t=\r\n1 \u2003AND(a=1)AND a>=1 "))
                .isTrue();
    }

    @Test
    void a_nul_character_does_not_end_the_expression() {
        assertThatThrownBy(() -> SqlFilter.parse("a = 1\0 OR 1 = 1"))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessageContaining("(at position 5)");
    }

    @Test
    void an_expression_has_at_most_1024_characters() {
        String longest = "a = '" + "x".repeat(1_018) + "'";

        assertThat(longest).hasSize(1_024);
        assertThat(SampleMessage.with("a", "x".repeat(1_018)).passes(longest)).isTrue();
        assertThatThrownBy(() -> SqlFilter.parse(longest + " "))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessage("The expression is longer than 1024 characters (at position 1024)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `(`    | a = 1 | )
            `NOT ` | a = 1 | ``
            `a = -` | -1   | ``
            `a = (` | 1    | )
            """)
    void a_hundred_levels_nest_and_one_more_is_refused(String open, String middle, String close) {
        String repeated = open.startsWith("a = ") ? open.substring(4) : open;
        String prefix = open.startsWith("a = ") ? "a = " : "";

        SqlFilter.parse(prefix + repeated.repeat(100) + middle + close.repeat(100));
        assertThatThrownBy(() -> SqlFilter.parse(prefix + repeated.repeat(102) + middle + close.repeat(102)))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessageContaining("More than 100 levels of nesting");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"(", "NOT ", "-", "p(", "((-", "EXISTS(", "a IN (", "1+", "[", "'", "\"", "a=1 OR ", "a LIKE "})
    void hostile_repetition_ends_in_a_syntax_error(String repeated) {
        String hostile = repeated.repeat(1_024 / repeated.length());

        assertThatThrownBy(() -> SqlFilter.parse(hostile)).isInstanceOf(FilterSyntaxException.class);
    }

    @Test
    void long_chains_need_no_nesting() {
        assertThat(SampleMessage.with("a", 1).passes("a=2 OR ".repeat(140) + "a=1"))
                .isTrue();
        assertThat(SampleMessage.empty().passes("1+".repeat(500) + "1=501")).isTrue();
    }
}
