package dev.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyTextTest {
    private static final String TEXT = "{\"cents\": 250}";

    /** As .NET's Encoding.Unicode.GetBytes writes it. */
    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
    void wide_characters_that_nothing_names_are_refused_and_not_handed_out_with_nuls_between(String charset) {
        byte[] body = TEXT.getBytes(Charset.forName(charset));

        assertThatThrownBy(() -> BodyText.of(body, "application/json"))
                .isInstanceOf(UnreadableBodyException.class)
                .hasMessageContaining("NUL");
        assertThat(BodyText.of(body, "application/json; charset=" + charset)).isEqualTo(TEXT);
    }

    @Test
    void a_nul_in_a_text_whose_charset_is_known_is_what_the_sender_meant() {
        byte[] marked = "\uFEFFa\0b".getBytes(StandardCharsets.UTF_8);

        assertThat(BodyText.of("a\0b".getBytes(StandardCharsets.UTF_8), "text/plain; charset=utf-8"))
                .isEqualTo("a\0b");
        assertThat(BodyText.of(marked, null)).isEqualTo("a\0b");
    }
}
