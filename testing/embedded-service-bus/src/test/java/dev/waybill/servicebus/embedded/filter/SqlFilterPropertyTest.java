package dev.waybill.servicebus.embedded.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlFilterPropertyTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "color = 'red'",
                "COLOR = 'red'",
                "user.color = 'red'",
                "USER.Color = 'red'",
                "[color] = 'red'",
                "user.[color] = 'red'",
                "\"color\" = 'red'",
                "user.\"Color\" = 'red'",
                "user . color = 'red'"
            })
    void a_user_property_is_found_in_any_case_with_or_without_scope_and_quotes(String expression) {
        assertThat(SampleMessage.with("Color", "red").passes(expression)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [Property With Space] = 1                     | Property With Space
            [HR-EmployeeID] = 1                           | HR-EmployeeID
            [a]]b] = 1                                    | a]b
            [a"b] = 1                                     | a"b
            "http://schemas.example.com/claims/Name" = 1  | http://schemas.example.com/claims/Name
            "a ""b"" c" = 1                               | a "b" c
            "a]b" = 1                                     | a]b
            [and] = 1                                     | and
            user.[in] = 1                                 | in
            größe_2 = 1                                   | größe_2
            sys = 1                                       | sys
            user = 1                                      | user
            p = 1                                         | p
            property = 1                                  | property
            newid = 1                                     | newid
            [sys.Label] = 1                               | sys.Label
            """)
    void quotes_make_a_name_of_anything(String expression, String name) {
        assertThat(SampleMessage.with(name, 1).passes(expression)).isTrue();
    }

    @Test
    void an_exact_spelling_wins_over_another_case() {
        SampleMessage message = SampleMessage.with("COLOR", "red").and("color", "blue");

        assertThat(message.passes("color = 'blue' AND COLOR = 'red'")).isTrue();
        assertThat(message.passes("Color = 'red'")).isTrue();
    }

    @Test
    void an_unscoped_name_never_reaches_a_system_property() {
        SampleMessage message = SampleMessage.with(SystemProperty.LABEL, "order");

        assertThat(message.passes("sys.Label = 'order'")).isTrue();
        assertThat(message.truthOf("Label = 'order'")).isEqualTo(Truth.UNKNOWN);
        assertThat(message.truthOf("user.Label = 'order'")).isEqualTo(Truth.UNKNOWN);
    }

    @Test
    void a_minus_inside_an_unquoted_name_subtracts() {
        assertThat(SampleMessage.with("color", 5).and("red", 3).passes("color-red = 2"))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(SystemProperty.class)
    void every_system_property_is_reached_by_its_name_in_any_case(SystemProperty property) {
        SampleMessage message = SampleMessage.with(property, "value");

        assertThat(message.passes("sys." + property.propertyName() + " = 'value'"))
                .isTrue();
        assertThat(message.passes("SYS." + property.propertyName().toUpperCase(Locale.ROOT) + " = 'value'"))
                .isTrue();
        assertThat(message.passes("sys.[" + property.propertyName() + "] = 'value'"))
                .isTrue();
        assertThat(SampleMessage.empty().truthOf("sys." + property.propertyName() + " = 'value'"))
                .isEqualTo(Truth.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "Subject, LABEL",
        "EnqueuedTime, ENQUEUED_TIME",
        "ExpiresAt, EXPIRES_AT",
        "LockedUntil, LOCKED_UNTIL",
        "ScheduledEnqueueTime, SCHEDULED_ENQUEUE_TIME",
        "TransactionPartitionKey, VIA_PARTITION_KEY"
    })
    void newer_names_of_system_properties_work_as_well(String name, SystemProperty property) {
        assertThat(SampleMessage.with(property, "value").passes("sys." + name + " = 'value'"))
                .isTrue();
    }

    @Test
    void system_properties_compare_by_their_type() {
        SampleMessage message = SampleMessage.with(SystemProperty.DELIVERY_COUNT, 3)
                .and(SystemProperty.SEQUENCE_NUMBER, 1L << 50)
                .and(SystemProperty.TIME_TO_LIVE, Duration.ofHours(1))
                .and(SystemProperty.ENQUEUED_TIME, Instant.EPOCH);

        assertThat(message.passes("sys.DeliveryCount >= 3 AND sys.SequenceNumber > 1000000"))
                .isTrue();
        assertThat(message.truthOf(
                        "sys.TimeToLive = @ttl AND sys.EnqueuedTimeUtc < @now",
                        Map.of("ttl", Duration.ofMinutes(60), "now", Instant.ofEpochSecond(1))))
                .isEqualTo(Truth.TRUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sys.Nope = 1", "sys.Nope IS NULL", "EXISTS(sys.Nope)", "sys.[Correlation Id] LIKE 'a'"})
    void a_system_property_that_does_not_exist_is_an_error_of_evaluation(String expression) {
        SqlFilter filter = SqlFilter.parse(expression);

        assertThatThrownBy(() -> filter.matches(SampleMessage.empty()))
                .isInstanceOf(FilterEvaluationException.class)
                .hasMessageContaining("There is no system property sys.");
    }

    @Test
    void parameters_are_named_with_or_without_the_at_sign_in_any_case() {
        SampleMessage message = SampleMessage.with("source", "orders");

        for (String name : List.of("@origin", "origin", "@ORIGIN", "Origin")) {
            assertThat(message.truthOf("source = @origin", Map.of(name, "orders")))
                    .isEqualTo(Truth.TRUE);
        }
    }

    @Test
    void parameters_stand_wherever_a_constant_may() {
        SampleMessage message = SampleMessage.with("n", 5).and("text", "50%");
        Map<String, Object> parameters = Map.of("@min", 3, "@pattern", "50!%", "@mark", "!", "@name", "n", "@_x1", 5.0);

        assertThat(message.truthOf("n > @min AND n - @min = 2 AND n IN (@min, @_x1)", parameters))
                .isEqualTo(Truth.TRUE);
        assertThat(message.truthOf("text LIKE @pattern ESCAPE @mark AND p(@name) = 5", parameters))
                .isEqualTo(Truth.TRUE);
    }

    @Test
    void a_parameter_without_a_value_is_unknown_but_one_that_is_not_given_is_a_syntax_error() {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("@nothing", null);

        assertThat(SampleMessage.with("n", 5).truthOf("n = @nothing", parameters))
                .isEqualTo(Truth.UNKNOWN);
        assertThatThrownBy(() -> SqlFilter.parse("n = @other", parameters))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessage("No value for parameter @other (at position 4)");
    }

    @Test
    void a_parameter_of_an_unsupported_type_is_a_syntax_error() {
        assertThatThrownBy(() -> SqlFilter.parse("n = @list", Map.of("@list", List.of())))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessage("Parameter @list cannot be a value of type ListN (at position 4)");
    }

    @Test
    void a_filter_remembers_its_text_and_its_parameters() {
        SqlFilter filter = SqlFilter.parse("n = @n", Map.of("@n", 5));

        assertThat(filter.expression()).isEqualTo("n = @n");
        assertThat(filter.parameters()).isEqualTo(Map.of("@n", 5));
        assertThat(filter).hasToString("n = @n");
    }
}
