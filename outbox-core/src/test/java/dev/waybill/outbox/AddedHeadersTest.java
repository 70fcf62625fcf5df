package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Headers that the outbox, a codec or a trace adds to those of the application. */
class AddedHeadersTest {
    private static final OutboxMessage FRENCH =
            OutboxMessage.to("q").id("m").header("encoding", "fr").build();

    /** One of the two values would be lost, or the broker would keep both spellings. */
    @ParameterizedTest
    @CsvSource({"encoding, has one already", "Encoding, has one already", "waybill-id, only Waybill sets such"})
    void a_codecs_header_that_the_message_has_in_any_spelling_or_may_not_have_is_refused(String name, String why) {
        assertThatThrownBy(() -> coding(Map.of(name, "gzip")).enrich(FRENCH))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("'m'")
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining(why);
    }

    @Test
    void a_codecs_headers_that_the_broker_does_not_take_are_refused_before_the_commit() {
        String large = "x".repeat(40_000);

        assertRefused(Map.of("key", large), "key");
        assertRefused(
                Map.of("a", large.substring(10_000), "b", large.substring(10_000), "c", large.substring(10_000)),
                "bytes of headers");
        assertRefused(Map.of("", "x"), "name");
        assertRefused(Map.of("half", "\ud83d"), "surrogate");
        assertThat(coding(Map.of("key", "k-1")).enrich(FRENCH).headers()).containsEntry("key", "k-1");
    }

    private static void assertRefused(Map<String, String> headers, String word) {
        assertThatThrownBy(() -> coding(headers).enrich(FRENCH))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(word);
    }

    private static MessageEnricher coding(Map<String, String> headers) {
        return new MessageEnricher(
                new PayloadCodec() {
                    @Override
                    public Encoded encode(OutboxMessage message) {
                        return new Encoded(message.body(), headers);
                    }

                    @Override
                    public byte[] decode(Received message) {
                        return message.body();
                    }
                },
                TraceContext.NONE,
                null,
                false);
    }

    @ParameterizedTest
    @CsvSource({"Traceparent", "diagnostic-id", "traceparent"})
    void a_trace_in_another_spelling_is_kept_and_gets_no_second_one(String name) {
        var traced = new MessageEnricher(null, () -> Map.of("traceparent", "00-a-b-01"), null, false);

        assertThat(traced.enrich(OutboxMessage.to("q")
                                .id("m")
                                .header(name, "own")
                                .build())
                        .headers())
                .containsOnly(Map.entry(name, "own"));
    }

    /** Service Bus does not tell spellings apart, and one of two values would be lost. */
    @ParameterizedTest
    @CsvSource({"cloudEvents:id", "CloudEvents:Type", "cloudevents:source"})
    void an_attribute_of_a_cloud_event_that_the_message_has_already_is_refused(String name) {
        var message = OutboxMessage.to("q")
                .id("m")
                .subject("Placed")
                .header(name, "own")
                .build();

        assertThatThrownBy(() -> events("/shop").enrich(message))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("'m'")
                .hasMessageContaining("cloudEvents:");
    }

    @Test
    void a_cloud_event_without_a_type_is_refused_also_if_its_subject_is_blank() {
        assertThatThrownBy(() -> events("/shop")
                        .enrich(OutboxMessage.to("q").id("m").subject(" ").build()))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("subject");
    }

    @Test
    void a_cloud_event_whose_attributes_are_too_large_for_headers_is_refused_before_the_commit() {
        var message = OutboxMessage.to("q").id("m").subject("x".repeat(29_000)).build();

        assertThatThrownBy(() -> events("/shop").enrich(message))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("bytes of headers");
    }

    /** Other CloudEvents libraries fail on it, far from here. */
    @Test
    void a_source_of_cloud_events_that_is_no_uri_is_refused_at_the_start() {
        assertThatThrownBy(() ->
                        Outbox.builder().source("my shop").cloudEvents(true).build())
                .hasMessageContaining("my shop")
                .hasMessageContaining("URI");
    }

    private static MessageEnricher events(String source) {
        return new MessageEnricher(null, TraceContext.NONE, source, true);
    }

    @Test
    void a_source_that_would_be_stored_as_another_is_refused() {
        assertThatThrownBy(() -> Outbox.builder().source("shop\ud83d")).hasMessageContaining("surrogate");
        assertThatThrownBy(() -> Outbox.builder().source(" ")).hasMessageContaining("blank");
    }
}
