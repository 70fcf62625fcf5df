package dev.waybill.standalone.console.page.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.message.MessageContent;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageEditTest {
    private static MessageEdit edit(@Nullable String contentType, Map<String, Object> properties) {
        MessageContent old = MessageContent.builder("m")
                .contentType(contentType)
                .body("cafe".getBytes(StandardCharsets.UTF_8))
                .build()
                .withProperties(properties);
        return new MessageEdit(old, ContentMask.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain; charset=iso-8859-1",
                "text/plain;charset=\"UTF-16LE\"",
                "text/plain; charset=nobody's"
            })
    void a_body_under_another_charset_is_not_written_as_utf8(String contentType) {
        MessageEdit edit = edit(contentType, Map.of());

        assertThat(edit.bodyField().lock()).contains("another charset");
        assertThatThrownBy(() -> edit(null, Map.of()).changed(Map.of("body", "caf\u00e9", "content-type", contentType)))
                .hasMessageContaining("written as UTF-8");
        assertThat(edit(null, Map.of())
                        .changed(Map.of("body", "caf\u00e9", "content-type", "text/plain; charset=utf-8"))
                        .body())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("caf\u00e9");
    }

    @Test
    void a_property_of_our_own_is_locked_in_any_case() {
        assertThat(edit(null, Map.of("WAYBILL-Id", "other")).texts())
                .filteredOn(field -> field.name().endsWith("WAYBILL-Id"))
                .singleElement()
                .satisfies(field -> assertThat(field.lock()).isEqualTo("Waybill's own"));
    }
}
