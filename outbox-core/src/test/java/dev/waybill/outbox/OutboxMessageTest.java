package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.message.Headers;
import dev.waybill.message.WireContract;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxMessageTest {
    @Test
    void a_message_without_an_id_is_refused_rather_than_given_a_random_one() {
        assertRefused(OutboxMessage.to("q").text("x"), "no id");
    }

    @Test
    void an_id_from_content_is_the_same_for_the_same_content_and_only_for_it() {
        String id = fromContent("q", "s", "subject", "body");

        assertThat(fromContent("q", "s", "subject", "body")).isEqualTo(id);
        assertThat(fromContent("q", "s", "subjectb", "ody")).isNotEqualTo(id);
        assertThat(fromContent("q", "ss", "ubject", "body")).isNotEqualTo(id);
        assertThat(fromContent("p", "s", "subject", "body")).isNotEqualTo(id);
        assertThat(id).hasSizeLessThanOrEqualTo(WireContract.MAX_ID_LENGTH);
    }

    @Test
    void ids_of_the_form_that_redrives_carry_are_refused() {
        assertRefused(OutboxMessage.to("q").id("m~0123456789abcdefghijklmnop"), "re-drives");
        assertThat(OutboxMessage.to("q").id("m~1").build().id()).isEqualTo("m~1");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 129})
    void ids_and_sessions_outside_the_brokers_limits_are_refused(int length) {
        assertRefused(OutboxMessage.to("q").id("x".repeat(length)), "id of more than 128 characters, or of none");
        assertRefused(
                OutboxMessage.to("q").id("m").session("x".repeat(length)),
                "session of more than 128 characters, or of none");
    }

    @Test
    void ids_at_the_brokers_limit_are_taken() {
        String longest = "x".repeat(128);

        assertThat(OutboxMessage.to("q").id(longest).session(longest).build().session())
                .contains(longest);
    }

    @Test
    void what_the_broker_would_refuse_later_is_refused_at_build() {
        assertRefused(OutboxMessage.to(" ").id("m"), "no destination");
        assertRefused(OutboxMessage.to("q").id("m").session("s").partitionKey("p"), "partition key");
        assertRefused(OutboxMessage.to("q").id("m").timeToLive(Duration.ZERO), "time to live");
        assertRefused(OutboxMessage.to("q").id("m").timeToLive(Duration.ofDays(50)), "time to live");
        assertRefused(OutboxMessage.to("q").id("m").timeToLive(Duration.ofSeconds(Long.MAX_VALUE)), "time to live");
        assertRefused(OutboxMessage.to("q").id("m").header("waybill-id", "x"), "waybill-id");
        assertRefused(OutboxMessage.to("q").id("m").subject("a\0b"), "NUL");
        assertRefused(OutboxMessage.to("q").id("m").header("h", "a\0b"), "NUL");
    }

    @Test
    void a_built_message_does_not_change_with_its_builder_or_its_body() {
        byte[] body = {1, 2, 3};
        var builder = OutboxMessage.to("q").id("m").body(body, "x").header("a", 1);
        var message = builder.build();
        builder.header("b", 2).subject("later");
        body[0] = 9;
        message.body()[1] = 9;

        assertThat(message.headers()).containsOnlyKeys("a");
        assertThat(message.subject()).isEmpty();
        assertThat(message.body()).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"a\":null}", "{\"a\":{\"odd\":\"1\"}}", "{\"a\":[1]}", "{"})
    void headers_that_are_not_of_the_contract_are_refused(String json) {
        assertThatThrownBy(() -> Headers.read(json)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String fromContent(String destination, String session, String subject, String body) {
        return OutboxMessage.to(destination)
                .session(session)
                .subject(subject)
                .text(body)
                .idFromContent()
                .build()
                .id();
    }

    private static void assertRefused(OutboxMessage.Builder builder, String why) {
        assertThatThrownBy(builder::build)
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(why);
    }

    @Test
    void a_part_that_is_null_is_refused_where_it_is_given_with_its_name() {
        assertRefusedNull(() -> OutboxMessage.to(null), "destination");
        assertRefusedNull(() -> OutboxMessage.to("q").json(null), "'q'");
        assertRefusedNull(() -> OutboxMessage.to("q").text(null), "'q'");
        assertRefusedNull(() -> OutboxMessage.to("q").body((byte[]) null, "x"), "'q'");
        assertRefusedNull(
                () -> Outbox.builder()
                        .bodies(body -> BodyWriter.Written.json("1"))
                        .build()
                        .message("q")
                        .body(null),
                "'q'");
    }

    private static void assertRefusedNull(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String word) {
        assertThatThrownBy(call).isInstanceOf(InvalidMessageException.class).hasMessageContaining(word);
    }
}
