package dev.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {
    @Test
    void values_keep_their_types_and_texts_their_characters() {
        var headers = new LinkedHashMap<String, Object>();
        headers.put("text", "a \"quoted\" / \\ \u0000 \u00e4 \ud83d\ude80");
        headers.put("", "no name");
        headers.put("long", Long.MIN_VALUE);
        headers.put("true", true);
        headers.put("time", Instant.parse("2026-01-02T03:04:05.678Z"));
        headers.put("uuid", new UUID(1, 2));
        headers.put("nan", Double.NaN);
        headers.put("unsigned", new AmqpValue("ulong", "18446744073709551615"));

        assertThat(Headers.read(Headers.write(headers))).isEqualTo(headers);
    }

    @Test
    void what_the_database_makes_of_it_says_the_same() {
        assertThat(Headers.read("{ \"n\" : 1 , \"d\" : { \"double\" : \"0.1\" } } "))
                .isEqualTo(Map.of("n", 1L, "d", 0.1));
    }

    @Test
    void a_number_of_many_digits_is_refused() {
        assertThatThrownBy(() -> Headers.read("{\"a\":0." + "0".repeat(1_500) + "1}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Headers have a number out of range");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"a\":1} }",
                "{} x",
                "{\"a\"",
                "{\"a\":null}",
                "{\"a\":99999999999999999999}",
                "{\"a\":[1]}",
                "{\"a\":{}}",
                "{\"a\":{\"int\":\"1\",\"long\":\"2\"}}",
                "{\"a\":{\"int\":[]}}",
                "{\"a\":{\"other\":\"1\"}}"
            })
    void what_is_not_written_like_headers_is_refused(String text) {
        assertThatThrownBy(() -> Headers.read(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "{\"a\":secret}",
                "{\"a\":\"secret",
                "{\"a\":[\"secret\"]}",
                "{\"a\":\"secret\"} secret",
                "{\"a\":{\"int\":\"secret\"}}",
                "{\"a\":{\"double\":\"secret\"}}",
                "{\"a\":{\"timestamp\":\"secret\"}}",
                "{\"a\":{\"uuid\":\"secret\"}}",
                "{\"a\":{\"binary\":\"secret!\"}}",
                "{\"a\":{\"duration\":\"secret\"}}",
                "{\"a\":{\"uri\":\"secret secret\"}}",
                "{\"a\":{\"offset-time\":\"secret\"}}",
                "{\"a\":{\"char\":\"\"}}"
            })
    void what_cannot_be_read_is_not_quoted_in_an_error_that_may_be_logged(String text) {
        assertThatThrownBy(() -> Headers.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    }
}
