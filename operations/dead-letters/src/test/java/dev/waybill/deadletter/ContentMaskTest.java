package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContentMaskTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String shown(ContentMask mask, String body) {
        return mask.body(bytes(body))
                .map(left -> new String(left, StandardCharsets.UTF_8))
                .orElse("hidden");
    }

    @Test
    void parts_of_a_body_are_null_wherever_the_path_leads() {
        ContentMask mask = ContentMask.of(List.of("body:/customer/email", "body:/items/*/name"));

        assertThat(shown(
                        mask,
                        "{\"customer\":{\"email\":\"a@b\",\"id\":7},\"items\":[{\"name\":\"x\"},{\"name\":\"y\"}]}"))
                .isEqualTo("{\"customer\":{\"email\":null,\"id\":7},\"items\":[{\"name\":null},{\"name\":null}]}");
        assertThat(shown(mask, "{\"customer\":{\"email\":\"a\"}} trailing")).isEqualTo("hidden");
        assertThat(shown(mask, "no json a@b"))
                .as("nobody can tell where they are")
                .isEqualTo("hidden");
        assertThat(shown(ContentMask.of(List.of("body")), "{}")).isEqualTo("hidden");
        assertThat(shown(ContentMask.NONE, "no json")).isEqualTo("no json");
    }

    @Test
    void a_change_shows_no_more_than_the_message() {
        ContentMask mask = ContentMask.of(List.of("body:/email", "property:ssn", "subject"));

        assertThat(mask.shown(new FieldChange("body", "{\"email\":\"a\"}", "no json")))
                .isEqualTo(new FieldChange("body", "{\"email\":null}", "masked"));
        assertThat(mask.shown(new FieldChange("property:ssn", null, "1")))
                .isEqualTo(new FieldChange("property:ssn", null, "masked"));
        assertThat(mask.shown(new FieldChange("to", "a", "b"))).isEqualTo(new FieldChange("to", "a", "b"));
        assertThat(mask.hides("subject")).isTrue();
        assertThat(mask.hides("description")).isFalse();
    }

    @Test
    void another_spelling_of_a_property_is_hidden_too() {
        ContentMask mask = ContentMask.of(List.of("property:ssn"));

        for (String name : new String[] {"ssn", "SSN", "Ssn"}) {
            assertThat(mask.hides("property:" + name)).as(name).isTrue();
        }
        assertThat(mask.hides("property:ssn2")).isFalse();
        assertThat(ContentMask.of(List.of("property:SSN")).hides("property:ssn"))
                .isTrue();
    }

    @Test
    void a_field_that_there_is_not_is_refused_by_name() {
        assertThatThrownBy(() -> ContentMask.of(List.of("bdoy"))).hasMessageContaining("bdoy");
        assertThat(ContentMask.of(List.of()).isEmpty()).isTrue();
    }
}
