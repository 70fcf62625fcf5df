package dev.waybill.servicebus.embedded.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CorrelationFilterTest {

    private static Arguments setter(
            SystemProperty property, BiFunction<CorrelationFilter.Builder, String, CorrelationFilter.Builder> setter) {
        return Arguments.of(property, setter);
    }

    static Stream<Arguments> setters() {
        return Stream.of(
                setter(SystemProperty.CORRELATION_ID, CorrelationFilter.Builder::correlationId),
                setter(SystemProperty.MESSAGE_ID, CorrelationFilter.Builder::messageId),
                setter(SystemProperty.TO, CorrelationFilter.Builder::to),
                setter(SystemProperty.REPLY_TO, CorrelationFilter.Builder::replyTo),
                setter(SystemProperty.LABEL, CorrelationFilter.Builder::label),
                setter(SystemProperty.SESSION_ID, CorrelationFilter.Builder::sessionId),
                setter(SystemProperty.REPLY_TO_SESSION_ID, CorrelationFilter.Builder::replyToSessionId),
                setter(SystemProperty.CONTENT_TYPE, CorrelationFilter.Builder::contentType));
    }

    @ParameterizedTest
    @MethodSource("setters")
    void each_system_property_must_be_equal_to_the_case(
            SystemProperty property, BiFunction<CorrelationFilter.Builder, String, CorrelationFilter.Builder> setter) {
        CorrelationFilter filter =
                setter.apply(CorrelationFilter.builder(), "High").build();

        assertThat(filter.matches(SampleMessage.with(property, "High"))).isTrue();
        assertThat(filter.matches(SampleMessage.with(property, "high"))).isFalse();
        assertThat(filter.matches(SampleMessage.with(property, "Higher"))).isFalse();
        assertThat(filter.matches(SampleMessage.empty())).isFalse();
        assertThat(filter.systemProperties()).containsExactly(entry(property, "High"));
    }

    @Test
    void all_conditions_must_hold() {
        CorrelationFilter filter = CorrelationFilter.builder()
                .label("Important")
                .replyTo("me")
                .property("color", "Red")
                .property("size", 5)
                .build();

        assertThat(filter.matches(complete())).isTrue();
        assertThat(filter.matches(complete().and(SystemProperty.LABEL, "Other")))
                .isFalse();
        assertThat(filter.matches(complete().and("color", "Blue"))).isFalse();
        assertThat(filter.matches(complete().and("size", null))).isFalse();
        assertThat(filter.matches(complete().and("more", "of the same"))).isTrue();
    }

    private static SampleMessage complete() {
        return SampleMessage.with("color", "Red")
                .and("size", 5)
                .and(SystemProperty.LABEL, "Important")
                .and(SystemProperty.REPLY_TO, "me");
    }

    static Stream<Arguments> values() {
        UUID id = UUID.randomUUID();
        return Stream.of(
                Arguments.of(5, 5L, true),
                Arguments.of(5, 5.0, true),
                Arguments.of(5, 6, false),
                Arguments.of(5, "5", false),
                Arguments.of("5", 5, false),
                Arguments.of(true, true, true),
                Arguments.of(true, "True", false),
                Arguments.of(id, id, true),
                Arguments.of(id, id.toString(), false),
                Arguments.of(Instant.EPOCH, Date.from(Instant.EPOCH), true),
                Arguments.of(5, List.of(5), false));
    }

    @ParameterizedTest
    @MethodSource("values")
    void user_properties_are_typed(Object expected, Object actual, boolean matches) {
        CorrelationFilter filter =
                CorrelationFilter.builder().property("key", expected).build();

        assertThat(filter.matches(SampleMessage.with("key", actual))).isEqualTo(matches);
        assertThat(filter.userProperties()).containsExactly(entry("key", expected));
    }

    @Test
    void names_of_user_properties_ignore_case() {
        CorrelationFilter filter =
                CorrelationFilter.builder().property("COLOR", "red").build();

        assertThat(filter.matches(SampleMessage.with("color", "red"))).isTrue();
    }

    @Test
    void at_least_one_condition_is_required_and_null_is_none() {
        CorrelationFilter.Builder builder =
                CorrelationFilter.builder().label(null).correlationId(null).property("a", null);

        assertThatThrownBy(builder::build).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_value_that_compares_with_nothing_is_refused() {
        assertThatThrownBy(() -> CorrelationFilter.builder().property("a", List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_filter_does_not_change_with_its_builder() {
        CorrelationFilter.Builder builder = CorrelationFilter.builder().label("a");
        CorrelationFilter filter = builder.build();
        builder.label("b").property("c", 1);

        assertThat(filter.matches(SampleMessage.with(SystemProperty.LABEL, "a")))
                .isTrue();
        assertThat(filter).hasToString("CorrelationFilter{LABEL=a}{}");
    }
}
