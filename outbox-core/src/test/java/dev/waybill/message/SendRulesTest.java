package dev.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class SendRulesTest {
    /** Two chars in Java, one character in PostgreSQL. */
    private static final String OUTSIDE = Character.toString(0x1F4E6);

    private DSLContext dsl;

    @BeforeEach
    void open(TestDatabase database) {
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    }

    @Test
    void rows_and_contents_are_judged_alike() {
        List<MessageContent> contents = Stream.of("a", "x".repeat(128), "x".repeat(129), "\u00e9".repeat(128), "")
                .flatMap(text -> Stream.of(text, text + OUTSIDE, OUTSIDE.repeat(64), OUTSIDE.repeat(65)))
                .flatMap(text -> Stream.of(
                        content("m", text, null, null),
                        content("m", null, text, null),
                        content("m", "s", text, null),
                        content("m", text, null, "{\"a\":\"\\\\u0000\"}"),
                        content("m", text, null, "{\"a\":\"\\\\\\u0000\"}"),
                        content(text.isEmpty() ? "m" : text, text, text, "{\"a\":\"\\u0000\"}")))
                .toList();

        for (MessageContent content : contents) {
            assertThat(ofRow(content)).isEqualTo(SendRules.violation(content));
        }
    }

    @Test
    void an_id_that_the_sdk_counts_as_too_long_is_refused_before_it_is_sent() {
        assertThat(SendRules.violation(content(OUTSIDE.repeat(64), null, null, null)))
                .isNull();
        assertThat(SendRules.violation(content(OUTSIDE.repeat(65), null, null, null)))
                .contains("an id of more than 128");
    }

    @Test
    void backslashes_before_u0000_are_a_text_unless_one_of_them_escapes_it() {
        assertThat(SendRules.violation(content("m", "s", null, "{\"a\":\"\\\\u0000\"}")))
                .isNull();
        assertThat(SendRules.violation(content("m", "s", null, "{\"a\":\"\\\\\\u0000\"}")))
                .contains("a NUL character in its properties");
    }

    @Test
    void an_edit_of_a_message_beyond_the_limits_may_not_break_another_one() {
        MessageContent old = content("m", "s", "p", null);
        MessageContent changed =
                old.toBuilder().replyToSessionId("r".repeat(129)).build();

        assertThat(SendRules.violation(old, old.toBuilder().subject("new").build()))
                .isNull();
        assertThat(SendRules.violation(old, changed)).contains("a reply-to session of 129 characters");
    }

    @Test
    void an_edit_to_a_content_type_that_no_symbol_can_carry_is_refused_and_an_old_one_may_stay() {
        MessageContent old = content("m", null, null, null);
        MessageContent foreign = old.toBuilder().contentType("caf\u00e9").build();

        assertThat(SendRules.violation(old, foreign)).contains("'caf\u00e9'", "at place 3");
        assertThat(SendRules.violation(
                        foreign, foreign.toBuilder().subject("new").build()))
                .isNull();
    }

    private @Nullable String ofRow(MessageContent content) {
        return dsl.fetchSingle(
                        "select case " + SendRules.sqlBranches() + " end from (select {0}::text as message_id,"
                                + " {1}::text as session_id, {2}::text as partition_key, {3}::text as headers) r",
                        DSL.val(content.messageId()),
                        DSL.val(content.sessionId()),
                        DSL.val(content.partitionKey()),
                        DSL.val(content.headers()))
                .get(0, String.class);
    }

    private static MessageContent content(
            String id, @Nullable String session, @Nullable String partitionKey, @Nullable String headers) {
        return MessageContent.builder(id)
                .sessionId(session)
                .partitionKey(partitionKey)
                .headers(headers)
                .body(new byte[0])
                .build();
    }
}
