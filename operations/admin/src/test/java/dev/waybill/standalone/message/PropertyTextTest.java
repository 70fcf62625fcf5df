package dev.waybill.standalone.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.message.AmqpValue;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PropertyTextTest {
    static Stream<Arguments> kept() {
        return Stream.of(
                Arguments.of(1L, "-42", -42L),
                Arguments.of(1, "42", 42),
                Arguments.of((short) 1, "42", (short) 42),
                Arguments.of((byte) 1, "-128", (byte) -128),
                Arguments.of(1.5, "2", 2.0),
                Arguments.of(1.5, "NaN", Double.NaN),
                Arguments.of(1.5f, "2.25", 2.25f),
                Arguments.of(true, "false", false),
                Arguments.of('a', "é", 'é'),
                Arguments.of(
                        UUID.randomUUID(),
                        "6F9619FF-8B86-D011-B42D-00C04FC964FF",
                        UUID.fromString("6f9619ff-8b86-d011-b42d-00c04fc964ff")),
                Arguments.of(Instant.EPOCH, "2026-03-01T07:00:00+01:00", Instant.parse("2026-03-01T06:00:00Z")),
                Arguments.of(
                        OffsetDateTime.MIN,
                        "2026-03-01T07:00:00+01:00",
                        OffsetDateTime.parse("2026-03-01T07:00:00+01:00")),
                Arguments.of(Duration.ZERO, "PT5M", Duration.ofMinutes(5)),
                Arguments.of(URI.create("a:b"), "urn:x", URI.create("urn:x")),
                Arguments.of(new byte[1], "AQI=", new byte[] {1, 2}),
                Arguments.of(new AmqpValue("ubyte", "7"), "255", new AmqpValue("ubyte", "255")),
                Arguments.of(
                        new AmqpValue("ulong", "7"),
                        "18446744073709551615",
                        new AmqpValue("ulong", "18446744073709551615")),
                Arguments.of("text", "5", "5"));
    }

    @ParameterizedTest
    @MethodSource("kept")
    void an_edit_keeps_the_type(Object old, String text, Object now) {
        assertThat(PropertyText.with(Map.of("p", old), Map.of("p", text)).get("p"))
                .isEqualTo(now);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(1L, "9223372036854775808", "Long"),
                Arguments.of(1L, " 4", "Long"),
                Arguments.of(1, "2.0", "Integer"),
                Arguments.of((byte) 1, "128", "Byte"),
                Arguments.of(1.5, "1e400", "Double"),
                Arguments.of(1.5, "1d", "Double"),
                Arguments.of(1.5f, "1e39", "Float"),
                Arguments.of(true, "yes", "Boolean"),
                Arguments.of(true, "TRUE", "Boolean"),
                Arguments.of('a', "ab", "Character"),
                Arguments.of('a', "", "Character"),
                Arguments.of(UUID.randomUUID(), "1-1-1-1-1", "UUID"),
                Arguments.of(Instant.EPOCH, "2026-03-01", "Instant"),
                Arguments.of(Duration.ZERO, "5m", "Duration"),
                Arguments.of(URI.create("a:b"), "a b", "URI"),
                Arguments.of(new byte[1], "öl", "binary"),
                Arguments.of(new AmqpValue("ubyte", "7"), "256", "ubyte"),
                Arguments.of(new AmqpValue("uint", "7"), "-1", "uint"),
                Arguments.of(new AmqpValue("decimal32", "22500001"), "1.5", "decimal32"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void a_text_that_is_no_value_of_the_type_is_refused_with_the_type(Object old, String text, String type) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyText.with(Map.of("p", old), Map.of("p", text)))
                .withMessageContaining("'p'")
                .withMessageContaining("type " + type)
                .withMessageContaining("'" + text + "'");
    }

    @Test
    void a_name_that_another_property_or_waybill_has_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyText.with(Map.of("tenant", "a"), Map.of("Tenant", "b")))
                .withMessageContaining("'tenant'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyText.with(Map.of(), Map.of("Waybill-Id", "b")))
                .withMessageContaining("Waybill's own");
        assertThat(PropertyText.with(Map.of("n", 5L), Map.of("new", "5")))
                .containsEntry("new", "5")
                .containsEntry("n", 5L);
    }
}
