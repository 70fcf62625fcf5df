package dev.waybill.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.outbox.BodyWriter.Written;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bodies that are given as objects, and how they are written before the message is built. */
class ObjectBodiesTest {
    private final Outbox outbox = Outbox.builder()
            .bodies(object ->
                    new Written(object.toString().getBytes(UTF_8), "text/x-object", "Type", Map.of("type-version", 2L)))
            .build();

    @Test
    void an_object_is_the_body_with_its_media_type_and_headers_and_its_type_is_the_subject() {
        var message = outbox.message("q").id("m").body(URI.create("a:b")).build();

        assertThat(message.body()).asString(UTF_8).isEqualTo("a:b");
        assertThat(message.contentType()).contains("text/x-object");
        assertThat(message.subject()).contains("Type");
        assertThat(message.headers()).containsEntry("type-version", 2L);
    }

    @Test
    void a_subject_of_the_application_wins_whether_it_comes_before_the_object_or_after() {
        assertThat(outbox.message("q").id("m").subject("own").body("x").build().subject())
                .contains("own");
        assertThat(outbox.message("q").id("m").body("x").subject("own").build().subject())
                .contains("own");
    }

    @Test
    void an_id_from_the_content_is_that_of_the_written_body() {
        String id = outbox.message("q").idFromContent().body("x").build().id();

        assertThat(outbox.message("q").idFromContent().body("x").build().id()).isEqualTo(id);
        assertThat(outbox.message("q").idFromContent().body("y").build().id()).isNotEqualTo(id);
    }

    @Test
    void an_object_without_a_writer_is_refused_with_the_way_to_give_one() {
        assertThatThrownBy(() -> OutboxMessage.to("q").body("x"))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("outbox.message(\"q\")");
        assertThatThrownBy(() -> Outbox.create().message("q").body("x"))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("bodies(...)");
    }

    @Test
    void headers_of_a_writer_that_no_message_can_have_are_refused_before_the_append() {
        assertRefused(Map.of("odd", new Object()), "odd");
        assertRefused(Map.of("waybill-id", "x"), "waybill-id");
        assertRefused(Map.of("Tenant", "a", "tenant", "b"), "enant");
    }

    private static void assertRefused(Map<String, Object> headers, String word) {
        var outbox = Outbox.builder()
                .bodies(object -> new Written(new byte[0], "x", null, headers))
                .build();
        assertThatThrownBy(() -> outbox.message("q").id("m").body("x").build())
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(word);
    }

    @Test
    void half_a_surrogate_pair_in_written_json_is_refused() {
        assertThatThrownBy(() -> Written.json("\"\ud83d\""))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("surrogate");
    }
}
