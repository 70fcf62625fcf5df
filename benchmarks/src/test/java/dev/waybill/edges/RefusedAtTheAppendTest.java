package dev.waybill.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.InvalidMessageException;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jooq.JSONB;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What Service Bus, AMQP or PostgreSQL cannot take is refused before the commit, with the field and its limit. */
@Timeout(120)
class RefusedAtTheAppendTest {
    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(bus -> bus.queue("orders"));

    private static final String HALF = "a\uD83D";
    private static final String OTHER_HALF = "\uDE00b";
    private static final String UMLAUT = "application/pdf; name=\"M\u00e4rz.pdf\"";
    private static final String EMOJI = "text/\uD83D\uDE00";
    private static final String NUL = "a\0b";

    static Stream<Arguments> messages() {
        return Stream.of(
                bad("NUL in its id", b -> b.id(NUL), "NUL character in its id"),
                bad("NUL in its content type", b -> b.body(new byte[0], NUL), "content type"),
                bad(
                        "an umlaut in its content type, which arrives as '?'",
                        b -> b.body(new byte[0], UMLAUT),
                        "'application/pdf; name=\"M\u00e4rz.pdf\"' with a character other than U+0020 to U+007E, at place 24"),
                bad("an emoji in its content type", b -> b.body(new byte[0], EMOJI), "at place 5"),
                bad("a tab in its content type", b -> b.body(new byte[0], "a\tb"), "content type 'a?b'"),
                bad("NUL in its to address", b -> b.toAddress(NUL), "to address"),
                bad("NUL in its reply-to", b -> b.replyTo(NUL), "reply-to"),
                bad("NUL in a name", b -> b.header(NUL, 1), "name of the header"),
                bad("half a pair in its id", b -> b.id(HALF), "half of a surrogate pair in its id, at place 1"),
                bad("half a pair in its session", b -> b.session(OTHER_HALF), "session, at place 0"),
                bad("half a pair in its subject", b -> b.subject(HALF), "subject"),
                bad("half a pair in its correlation id", b -> b.correlationId(HALF), "correlation id"),
                bad("half a pair in a header", b -> b.header("h", HALF), "header 'h'"),
                bad("half a pair in a name", b -> b.header(HALF, "v"), "name of the header"),
                bad("two halves in the wrong order", b -> b.subject("\uDE00\uD83D"), "at place 0"),
                bad("a header of 33 KB", b -> b.header("h", "x".repeat(33 * 1024)), "32768"),
                bad("a header of 33 KB of umlauts", b -> b.header("h", "\u00fc".repeat(17 * 1024)), "32768"),
                bad("a name of 33 KB", b -> b.header("h".repeat(33 * 1024), 1), "32768"),
                bad("64 KB of headers", b -> headers(b, 40, 1600), "63488"),
                bad("64 KB of subject", b -> b.subject("x".repeat(64 * 1024)), "63488"),
                bad("64 KB of Chinese, with padding", b -> headers(b, 3, 10_000, "\u6f22"), "63488"),
                bad(
                        "60 KB of to and reply-to",
                        b -> b.toAddress("x".repeat(32_000)).replyTo("x".repeat(32_000)),
                        "63488"),
                bad("a header without a name", b -> b.header(" ", 1), "without a name"),
                bad(
                        "two spellings of a header",
                        b -> b.header("Tenant", 1).header("tenant", 2),
                        "'Tenant' and 'tenant'"),
                bad("a header of Waybill's", b -> b.header("Waybill-Id", "x"), "Waybill-Id"),
                bad("another of Waybill's", b -> b.header("waybill-anything", "x"), "waybill-anything"),
                bad("a header at the end of time", b -> b.header("h", Instant.MAX), "years from 1 to 9999"),
                bad("a header before all time", b -> b.header("h", Instant.MIN), "years from 1 to 9999"),
                bad("sent at the end of time", b -> b.notBefore(Instant.MAX), "9999"),
                bad("sent in the year 10000", b -> b.notBefore(Instant.parse("+10000-01-01T00:00:00Z")), "9999"),
                bad(
                        "enqueued in the year 294277",
                        b -> b.scheduledEnqueueTime(Instant.parse("+294277-01-01T00:00:00Z")),
                        "scheduled enqueue time"),
                bad("enqueued at the beginning", b -> b.scheduledEnqueueTime(Instant.MIN), "scheduled enqueue time"),
                bad("an empty partition key", b -> b.partitionKey(""), "empty partition key"),
                bad("a long reply-to session", b -> b.replyToSession("x".repeat(129)), "129 characters"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("messages")
    void a_message_is_refused_when_it_is_built(String what, UnaryOperator<OutboxMessage.Builder> change, String said) {
        assertThatThrownBy(() -> change.apply(message()).build())
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(said);
    }

    @Test
    void null_values_and_bodies_without_utf_8_are_refused_where_they_are_given() {
        assertThatThrownBy(() -> message().header("note", (String) null))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("'note'")
                .hasMessageContaining("orders");
        for (UnaryOperator<OutboxMessage.Builder> other : List.<UnaryOperator<OutboxMessage.Builder>>of(
                one -> one.header("note", (UUID) null), one -> one.header("note", (Instant) null))) {
            assertThatThrownBy(() -> other.apply(message()))
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining("'note'");
        }
        assertThatThrownBy(() -> message().header(null, 1)).isInstanceOf(InvalidMessageException.class);
        assertThatThrownBy(() -> message().text(HALF)).hasMessageContaining("surrogate pair in its body");
        assertThatThrownBy(() -> message().json("{\"a\":\"" + OTHER_HALF + "\"}"))
                .hasMessageContaining("surrogate pair in its body");
    }

    @Test
    void the_largest_values_arrive(TestWaybill waybill) {
        var most = message()
                .session("x".repeat(128))
                .header("h", "x".repeat(32 * 1024 - 1))
                .header("c", "\u6f22".repeat(5_000))
                .header("early", Instant.parse("0001-01-01T00:00:00Z"))
                .header("late", Instant.parse("9999-12-31T23:59:59.999Z"))
                .header("number", Double.NaN)
                .header("long", Long.MIN_VALUE)
                .subject("\uD83D\uDE00")
                .text("a\0b")
                .build();

        waybill.outbox().inTransaction(tx -> waybill.outbox().append(tx, most));
        waybill.publish();

        waybill.published("orders").hasIds("m1");
    }

    static Stream<Arguments> statements() {
        var big = "{\"h\": \"" + "x".repeat(33 * 1024) + "\"}";
        var many = new StringBuilder("{\"a\": 1");
        for (int i = 0; i < 40; i++) {
            many.append(", \"h")
                    .append(i)
                    .append("\": \"")
                    .append("x".repeat(1600))
                    .append('"');
        }
        return Stream.of(
                sql("an empty destination", " ", "s", "m", null, "destination is empty"),
                sql("no id", "orders", "s", null, null, "message_id is empty"),
                sql("a long id", "orders", "s", "x".repeat(129), null, "128"),
                sql("a long session", "orders", "x".repeat(129), "m", null, "128"),
                sql("the id of a re-drive", "orders", "s", "m~" + "0".repeat(26), null, "re-drives"),
                sql("an array", "orders", "s", "m", "[1]", "no JSON object"),
                sql("a text", "orders", "s", "m", "\"x\"", "no JSON object"),
                sql("a null header", "orders", "s", "m", "{\"h\": null}", "header h"),
                sql("an array in a header", "orders", "s", "m", "{\"h\": [1]}", "header h"),
                sql("an object in a header", "orders", "s", "m", "{\"h\": {\"a\": 1}}", "no text, number, boolean"),
                sql(
                        "two types",
                        "orders",
                        "s",
                        "m",
                        "{\"h\": {\"uuid\": \"x\", \"int\": \"1\"}}",
                        "no text, number, boolean"),
                sql(
                        "a type in another case, which no relay reads",
                        "orders",
                        "s",
                        "m",
                        "{\"h\": {\"UUID\": \"8f14e45f-ceea-467f-a9d2-6d2b1c2f3a4b\"}}",
                        "no text, number, boolean"),
                sql("a number without bounds", "orders", "s", "m", "{\"h\": 1e400}", "no long and no double"),
                sql("a number too near to zero", "orders", "s", "m", "{\"h\": 1e-400}", "no long and no double"),
                sql("a number of 18 digits", "orders", "s", "m", "{\"h\": 0.123456789012345678}", "no double"),
                sql("a long and a half", "orders", "s", "m", "{\"h\": 123456789012345678.5}", "no double"),
                sql("a number that no long holds", "orders", "s", "m", "{\"h\": 12345678901234567890}", "no long"),
                sql("a large header", "orders", "s", "m", big, "32768"),
                sql("many headers", "orders", "s", "m", many + "}", "63488"),
                sql("two spellings", "orders", "s", "m", "{\"A\": 1, \"a\": 2}", "spellings"),
                sql("a header of Waybill's", "orders", "s", "m", "{\"Waybill-Claim\": \"x\"}", "Waybill itself"),
                sql("no name", "orders", "s", "m", "{\"\": 1}", "no name"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("statements")
    void outbox_append_refuses_the_same(String what, Row row, String said, TestWaybill waybill) {
        assertThatThrownBy(() -> append(waybill, row))
                .isInstanceOf(DataAccessException.class)
                .hasMessageContaining(said);
    }

    @Test
    void outbox_append_refuses_a_content_type_that_amqp_cannot_carry(TestWaybill waybill) {
        for (String type : List.of(UMLAUT, EMOJI, "a\tb")) {
            assertThatThrownBy(() -> append(waybill, "m1", type))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("message 'm1' to 'orders': content_type has a character other than U+0020");
        }
        append(waybill, "m2", " !~");

        waybill.publish();

        waybill.published("orders").hasIds("m2");
    }

    @Test
    void headers_that_sql_writes_arrive_with_their_types(TestWaybill waybill) throws Exception {
        append(waybill, new Row("orders", null, "m1", """
                {"text": "x", "long": 7, "double": 1.5, "big": 1234567890123456789, "flag": true,
                 "id": {"uuid": "8f14e45f-ceea-467f-a9d2-6d2b1c2f3a4b"}}"""));
        var seen = new TreeMap<String, Object>();

        waybill.publish();
        waybill.consumer("books", "orders", (tx, message) -> {
                    seen.putAll(message.headers());
                    return Verdict.done();
                })
                .handleAll();

        assertThat(seen)
                .containsEntry("long", 7L)
                .containsEntry("double", 1.5)
                .containsEntry("big", 1234567890123456789L)
                .containsKey("id");
    }

    private static void append(TestWaybill waybill, Row row) {
        waybill.outbox()
                .inTransaction(tx -> tx.execute(
                        "select " + waybill.schema().table("outbox_append") + "({0}, {1}, {2}, {3}, headers => {4})",
                        DSL.val(row.destination),
                        DSL.val(row.session),
                        DSL.val(row.id),
                        DSL.val("x".getBytes(StandardCharsets.UTF_8)),
                        DSL.val(row.headers == null ? null : JSONB.valueOf(row.headers))));
    }

    private static void append(TestWaybill waybill, String id, String contentType) {
        waybill.outbox()
                .inTransaction(tx -> tx.execute(
                        "select " + waybill.schema().table("outbox_append")
                                + "('orders', null, {0}, ''::bytea, content_type => {1})",
                        DSL.val(id),
                        DSL.val(contentType)));
    }

    private static OutboxMessage.Builder message() {
        return OutboxMessage.to("orders").id("m1").text("x");
    }

    private static OutboxMessage.Builder headers(OutboxMessage.Builder builder, int count, int length) {
        return headers(builder, count, length, "x");
    }

    private static OutboxMessage.Builder headers(OutboxMessage.Builder builder, int count, int length, String letter) {
        for (int i = 0; i < count; i++) {
            builder.header("h" + i, letter.repeat(length));
        }
        return builder;
    }

    private static Arguments bad(String what, UnaryOperator<OutboxMessage.Builder> change, String said) {
        return Arguments.of(what, change, said);
    }

    private static Arguments sql(
            String what,
            @Nullable String destination,
            @Nullable String session,
            @Nullable String id,
            @Nullable String headers,
            String said) {
        return Arguments.of(what, new Row(destination, session, id, headers), said);
    }

    record Row(
            @Nullable String destination,
            @Nullable String session,
            @Nullable String id,
            @Nullable String headers) {}
}
