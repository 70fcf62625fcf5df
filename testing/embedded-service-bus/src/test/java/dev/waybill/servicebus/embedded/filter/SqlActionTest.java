package dev.waybill.servicebus.embedded.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlActionTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET quantity = quantity / 2; REMOVE priority;SET sys.CorrelationId = 'low';",
                "SET quantity = quantity / 2; REMOVE priority; SET sys.CorrelationId = 'low'",
                "SET quantity = quantity / 2\nREMOVE priority\nSET sys.CorrelationId = 'low'",
                "set QUANTITY=quantity/2 remove PRIORITY set SYS.correlationid='low'"
            })
    void statements_follow_one_another_with_or_without_semicolons(String expression) {
        SampleMessage message = SampleMessage.with("color", "red")
                .and("quantity", 10)
                .and("priority", "high")
                .and(SystemProperty.CORRELATION_ID, "high");

        EditedProperties edited = SqlAction.parse(expression).apply(message);

        assertThat(edited.userProperties()).containsExactly(entry("color", "red"), entry("quantity", 5));
        assertThat(edited.systemChanges()).containsExactly(entry(SystemProperty.CORRELATION_ID, "low"));
    }

    @Test
    void the_message_itself_stays_as_it_was() {
        SampleMessage message = SampleMessage.with("a", 1).and(SystemProperty.LABEL, "old");

        SqlAction.parse("SET a = 2 SET b = 3 SET sys.Label = 'new' REMOVE a").apply(message);

        assertThat(message.userProperties()).containsExactly(entry("a", 1));
        assertThat(message.systemProperty(SystemProperty.LABEL)).isEqualTo("old");
    }

    @Test
    void each_statement_sees_what_those_before_it_did() {
        EditedProperties edited = SqlAction.parse(
                        "SET a = 1; SET b = a + 1; REMOVE a; SET c = a; SET sys.To = 'x'; SET d = sys.To")
                .apply(SampleMessage.empty());

        assertThat(edited.userProperties()).containsOnly(entry("b", 2L), entry("c", null), entry("d", "x"));
        assertThat(edited.systemProperty(SystemProperty.TO)).isEqualTo("x");
        assertThat(edited.systemProperty(SystemProperty.LABEL)).isNull();
    }

    @Test
    void an_existing_property_keeps_its_spelling_and_its_place() {
        EditedProperties edited = SqlAction.parse("SET COLOR = 'blue'")
                .apply(SampleMessage.with("Color", "red").and("size", 1));

        assertThat(edited.userProperties()).containsExactly(entry("Color", "blue"), entry("size", 1));
    }

    @Test
    void removing_what_is_not_there_does_nothing() {
        EditedProperties edited =
                SqlAction.parse("REMOVE absent; REMOVE user.[other one]").apply(SampleMessage.with("a", 1));

        assertThat(edited.userProperties()).containsExactly(entry("a", 1));
    }

    @Test
    void setting_to_an_unknown_value_leaves_a_property_of_null() {
        EditedProperties edited = SqlAction.parse("SET a = absent + 1; SET b = NULL; SET sys.To = absent")
                .apply(SampleMessage.with("a", 1).and(SystemProperty.TO, "x"));

        assertThat(edited.userProperties()).containsExactly(entry("a", null), entry("b", null));
        assertThat(edited.systemChanges()).containsExactly(entry(SystemProperty.TO, null));
    }

    static Stream<Arguments> conversions() {
        return Stream.of(
                Arguments.of(10, "n / 2", 5),
                Arguments.of(10L, "n / 2", 5L),
                Arguments.of((short) 10, "n / 2", (short) 5),
                Arguments.of((byte) 10, "n / 2", (byte) 5),
                Arguments.of(10.0, "4", 4.0),
                Arguments.of(10.0f, "n / 4", 2.5f),
                Arguments.of(10, "n * 0.5", 5),
                Arguments.of(10, "n * 0.25", 2.5),
                Arguments.of(10, "3000000000", 3_000_000_000L),
                Arguments.of((byte) 10, "200", 200L),
                Arguments.of(10.0f, "0.1", 0.1),
                Arguments.of(10.0, "9223372036854775807", Long.MAX_VALUE),
                Arguments.of(10, "1.0 / 0", Double.POSITIVE_INFINITY),
                Arguments.of(new BigDecimal("1"), "5", new BigDecimal("5")),
                Arguments.of(new BigDecimal("1"), "0.5", new BigDecimal("0.5")),
                Arguments.of(new BigDecimal("1"), "0.1", 0.1),
                Arguments.of(new BigDecimal("1"), "1E300", 1E300),
                Arguments.of(new AtomicInteger(1), "5", 5L),
                Arguments.of(10, "'text'", "text"),
                Arguments.of("text", "5", 5L),
                Arguments.of(true, "5", 5L));
    }

    @ParameterizedTest
    @MethodSource("conversions")
    void an_existing_number_keeps_its_type_as_long_as_no_digit_is_lost(Object old, String value, Object expected) {
        EditedProperties edited = SqlAction.parse("SET n = " + value).apply(SampleMessage.with("n", old));

        assertThat(edited.userProperties()).containsExactly(entry("n", expected));
    }

    @Test
    void copying_a_property_keeps_its_type() {
        Date date = Date.from(Instant.EPOCH);
        List<Object> opaque = List.of(1);
        SampleMessage message =
                SampleMessage.with("i", 5).and("d", date).and("o", opaque).and("f", 0.1f);

        EditedProperties edited = SqlAction.parse("SET i2 = i SET d2 = (d) SET o2 = p('o') SET f2 = f")
                .apply(message);

        assertThat(edited.userProperties())
                .contains(entry("i2", 5), entry("d2", date), entry("o2", opaque), entry("f2", 0.1f));
    }

    @Test
    void new_values_have_the_types_of_the_expression_language() {
        EditedProperties edited = SqlAction.parse(
                        "SET a = 1 SET b = 1.5 SET c = 'x' + 1 SET d = TRUE SET e = newid() SET f = @moment",
                        Map.of("@moment", Instant.EPOCH))
                .apply(SampleMessage.empty());

        assertThat(edited.userProperties())
                .contains(
                        entry("a", 1L), entry("b", 1.5), entry("c", "x1"), entry("d", true), entry("f", Instant.EPOCH));
        assertThat(edited.userProperties().get("e")).isInstanceOf(UUID.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'text'           | text
            5                | 5
            1.5              | 1.5
            'a' + 1          | a1
            TRUE             | True
            id               | 00000000-0000-0001-0000-000000000002
            sys.To           | there
            """)
    void system_properties_of_text_take_the_text_of_any_value(String value, String expected) {
        SampleMessage message = SampleMessage.with(SystemProperty.TO, "there").and("id", new UUID(1, 2));

        assertThat(SqlAction.parse("SET sys.MessageId = " + value)
                        .apply(message)
                        .systemChanges())
                .containsExactly(entry(SystemProperty.MESSAGE_ID, expected));
    }

    @Test
    void moments_and_durations_set_the_system_properties_of_their_type() {
        EditedProperties edited = SqlAction.parse(
                        "SET sys.TimeToLive = @ttl; SET sys.ScheduledEnqueueTimeUtc = sys.EnqueuedTimeUtc + @ttl",
                        Map.of("@ttl", Duration.ofMinutes(1)))
                .apply(SampleMessage.with(SystemProperty.ENQUEUED_TIME, Date.from(Instant.EPOCH)));

        assertThat(edited.systemChanges())
                .containsOnly(
                        entry(SystemProperty.TIME_TO_LIVE, Duration.ofMinutes(1)),
                        entry(SystemProperty.SCHEDULED_ENQUEUE_TIME, Instant.ofEpochSecond(60)));
    }

    @ParameterizedTest
    @EnumSource(SystemProperty.class)
    void only_settable_system_properties_can_be_set_and_removed(SystemProperty property) {
        String name = "sys." + property.propertyName();
        if (property.isSettable()) {
            assertThat(SqlAction.parse("SET " + name + " = NULL; REMOVE " + name)
                            .apply(SampleMessage.with(property, "old"))
                            .systemProperty(property))
                    .isNull();
            return;
        }
        for (String statement : List.of("SET " + name + " = 1", "REMOVE " + name)) {
            assertThatThrownBy(() -> SqlAction.parse(statement))
                    .isInstanceOf(FilterSyntaxException.class)
                    .hasMessageContaining(name + " cannot be changed by an action");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SET sys.TimeToLive = 5           | sys.TimeToLive cannot be set to an integer
            SET sys.Label = bytes            | sys.Label cannot be set to binary
            SET sys.Nope = 1                 | There is no system property sys.Nope
            REMOVE sys.Nope                  | There is no system property sys.Nope
            SET a = sys.Nope                 | There is no system property sys.Nope
            SET a = 1 / 0                    | Division by zero
            SET a = -'x'                     | A sign cannot precede text
            """)
    void a_statement_that_cannot_be_carried_out_is_an_error_of_evaluation(String expression, String problem) {
        SampleMessage message = SampleMessage.with("bytes", new byte[] {1});

        assertThatThrownBy(() -> SqlAction.parse(expression).apply(message))
                .isInstanceOf(FilterEvaluationException.class)
                .hasMessage(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                     | 0  | Expected SET or REMOVE but found the end of the expression
            EventType = 1          | 0  | Expected SET or REMOVE but found 'EventType'
            SET a                  | 5  | Expected '=' but found the end of the expression
            SET a =                | 7  | Expected a value but found the end of the expression
            SET = 1                | 4  | Expected a property but found '='
            SET 'a' = 1            | 4  | Expected a property but found text
            SET a = 1, b = 2       | 9  | Expected SET or REMOVE but found ','
            SET a = 1;; SET b = 2  | 10 | Expected SET or REMOVE but found ';'
            SET a = 1 b            | 10 | Expected SET or REMOVE but found 'b'
            SET a = (b = 1)        | 11 | Expected ')' but found '='
            SET a = NOT b          | 8  | Expected a value but found NOT
            SET p('a') = 1         | 5  | Expected '=' but found '('
            REMOVE                 | 6  | Expected a property but found the end of the expression
            REMOVE a = 1           | 9  | Expected SET or REMOVE but found '='
            REMOVE sys.Size        | 7  | sys.Size cannot be changed by an action
            """)
    void what_the_action_grammar_lacks_is_refused_where_it_begins(String expression, int position, String problem) {
        assertThatThrownBy(() -> SqlAction.parse(expression))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessage(problem + " (at position " + position + ")");
    }

    @Test
    void an_action_has_at_most_32_statements() {
        SqlAction.parse("REMOVE a;".repeat(32));
        assertThatThrownBy(() -> SqlAction.parse("REMOVE a;".repeat(33)))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessageContaining("More than 32 statements");
    }

    @Test
    void text_doubled_by_every_statement_does_not_fill_the_heap() {
        SqlAction action = SqlAction.parse("SET a=a+a;".repeat(32));

        assertThatThrownBy(() -> action.apply(SampleMessage.with("a", "x")))
                .isInstanceOf(FilterEvaluationException.class);
    }

    @Test
    void an_action_remembers_its_text_and_its_parameters() {
        SqlAction action = SqlAction.parse("SET a = @a", Map.of("@a", 5));

        assertThat(action.expression()).isEqualTo("SET a = @a");
        assertThat(action.parameters()).isEqualTo(Map.of("@a", 5));
        assertThat(action).hasToString("SET a = @a");
    }
}
