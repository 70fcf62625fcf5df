package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lines that a stranger wrote are refused with their number and a reason, and nothing is imported then. */
@ExtendWith(PostgresExtension.class)
class HostileLinesTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");
    private static final String GOOD = line("good", 1, "");

    private StoredLetters stored;
    private DeadLetterExchange exchange;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
        exchange = DeadLetterExchange.in(database.dataSource(), stored.schema);
    }

    @Test
    void a_line_that_is_refused_is_named_with_the_reason_and_nothing_is_imported() {
        refused(line("a", 2, ",\"properties\":{\"x\":\"\\ud800\"}"), "surrogate");
        refused(line("a", 2, ",\"subject\":\"\\ud800\""), "'subject' has half of a surrogate pair");
        refused(line("a", 2, ",\"timeToLiveMillis\":-5"), "'timeToLiveMillis'");
        refused(line("a", 2, ",\"timeToLiveMillis\":1e3"), "'timeToLiveMillis' is no whole number");
        refused(line("a", 2, ",\"timeToLiveMillis\":9223372036854775808"), "64 bits");
        refused(line("a", 2, ",\"timeToLiveMillis\":9223372036854775807"), "'timeToLiveMillis' is not a number from 1");
        refused(line("a", 2, ",\"deliveries\":-1"), "'deliveries'");
        refused(line("a", 2, "").replace("2026-01-01", "+999999999-01-01"), "years 1 to 9999");
        refused(line("a", 2, "").replace("2026-01-01", "-999999999-01-01"), "years 1 to 9999");
        refused(line("a", 2, "").replace("2026-01-01", "yesterday"), "'enqueuedAt' is no time");
        refused(line("a", 2, "").replace("\"orders\"", "\"\""), "'entity' is missing or empty");
        refused(line("a", 2, "").replace("\"a\"", "null"), "'id' is missing");
        refused(line("a", 2, "").replace("\"a\"", "5"), "'id' is no text");
        refused(line("a".repeat(129), 2, ""), "an id of more than 128 characters");
        refused(line("a", 2, ",\"session\":\"" + "s".repeat(129) + "\""), "a session of more than 128 characters");
        refused(line("a", 2, ",\"transfer\":\"yes\""), "'transfer' is neither true nor false");
        refused(line("a", 2, ",\"key\":\"x\""), "'key' is no UUID");
        refused(line("a", 2, ",\"bodyKind\":\"zip\""), "'bodyKind' is 'zip'");
        refused(line("a", 2, ",\"emptied\":\"perhaps\""), "'emptied' is 'perhaps'");
        refused(line("a", 2, "").replace("eA==", "?"), "'body' is no Base64");
        refused(line("a", 2, ",\"properties\":[1]"), "'properties' is no JSON object");
        refused(line("a", 2, ",\"properties\":{\"x\":{\"double\":\"two\"}}"), "no known type");
        refused(
                line("a", 2, ",\"properties\":{\"waybill-id\":\"a\",\"waybill-claim\":\"x\"}"),
                "'waybill-claim' is no UUID");
        refused(
                line("a", 2, ",\"properties\":{\"waybill-id\":\"a\",\"waybill-redrive\":-9223372036854775808}"),
                "'waybill-redrive'");
        refused(line("a", 2, ",\"id\":\"b\""), "uplicate");
        refused("[]", "Not a JSON object");
        refused("{\"entity\":", "Not a line of JSON");
        refused(GOOD + GOOD, "behind the JSON object");
    }

    @Test
    void a_member_under_a_name_of_another_system_is_refused_with_the_name_that_it_has_here() {
        refused(line("a", 2, ",\"sessionId\":\"s1\""), "no member 'sessionId'; did you mean 'session'?");
        refused(line("a", 2, ",\"applicationProperties\":{\"x\":1}"), "did you mean 'properties'?");
        refused(line("a", 2, ",\"Subject\":\"S\""), "did you mean 'subject'?");
        refused(line("a", 2, ",\"time_to_live\":5"), "did you mean 'timeToLiveMillis'?");
        refused(line("a", 2, ",\"tenant\":\"eu\""), "no member 'tenant'; leave it out");
    }

    @Test
    void what_the_outbox_would_refuse_is_refused_before_a_redrive_meets_it() {
        refused(line("a", 2, properties("{\"Tenant\":\"a\",\"tenant\":\"b\"}")), "does not tell apart");
        refused(line("a", 2, properties("{\"x\":\"" + "v".repeat(40_000) + "\"}")), "bytes in its header 'x'");
        refused(line("a", 2, properties(many(100, 1_000))), "bytes of headers and other properties");
        refused(line("a", 2, properties("{\" \":\"v\"}")), "a header without a name");
        refused(
                line("a", 2, properties("{\"x\":{\"timestamp\":\"+294276-12-31T23:59:59Z\"}}")),
                "years from 1 to 9999");
        refused(line("a", 2, properties("{\"x\":{\"offset-time\":\"+999999999-01-01T00:00:00Z\"}}")), "years from 1");
        refused(line("a", 2, properties("{\"x\":{\"duration\":\"P20000000D\"}}")), "header 'x'; Service Bus takes PT");
        refused(line("a", 2, ",\"replyToSession\":\"" + "s".repeat(200) + "\""), "reply-to session of 200");
        refused(line("a", 2, ",\"session\":\"s\",\"partitionKey\":\"p\""), "a partition key other than its session");
        refused(line("a", 2, ",\"session\":\"\""), "a session of more than 128 characters, or of none");
        refused(line("a", 2, ",\"partitionKey\":\"\""), "an empty partition key");
        refused(line("a", 2, ",\"subject\":\"a\\u0000b\""), "NUL character in its subject");
        refused(line("a", 2, ",\"bodyKind\":\"text\"").replace("eA==", "/w=="), "the body is no UTF-8");
    }

    @Test
    void a_content_type_that_would_be_changed_on_the_way_is_refused_in_a_line_of_an_export_too() {
        String key = ",\"key\":\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\"";

        refused(line("a", 2, key + ",\"contentType\":\"text/\u6f22\""), "the content type 'text/\u6f22'");
        assertThat(importAll(line("a", 2, key + ",\"contentType\":\"text/plain;\\tcharset=utf-8\"")))
                .isEqualTo(1);
    }

    @Test
    void a_claim_of_another_message_is_not_believed() {
        String claim = "\"waybill-claim\":\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\"";

        refused(line("thief", 2, properties("{" + claim + ",\"waybill-id\":\"victim\"}")), "those of another message");
        refused(line("thief", 2, properties("{" + claim + "}")), "those of another message");
        refused(line("thief", 2, properties("{\"WAYBILL-Claim\":\"x\"}")), "those of another message");
        assertThat(importAll(line("a", 2, properties("{" + claim + ",\"waybill-id\":\"a\"}"))))
                .isEqualTo(1);
    }

    @Test
    void a_typed_value_that_would_become_another_one_is_refused() {
        for (String value : new String[] {
            "{\"char\":\"abc\"}",
            "{\"char\":\"\"}",
            "{\"float\":\"1e99\"}",
            "{\"double\":\"1e999\"}",
            "{\"double\":\"0x1p3\"}",
            "{\"uuid\":\"1-1-1-1-1\"}",
            "{\"ulong\":\"-5\"}",
            "{\"ubyte\":\"256\"}",
            "{\"decimal32\":\"12\"}"
        }) {
            refused(line("a", 2, properties("{\"x\":" + value + "}")), "no known type");
        }
        assertThat(importAll(line(
                        "a",
                        3,
                        properties("{\"x\":{\"double\":\"Infinity\"},\"y\":{\"float\":\"NaN\"},\"z\":"
                                + "{\"duration\":\"PT256204778H48M5.4775807S\"}}"))))
                .isEqualTo(1);
    }

    @Test
    void a_file_with_a_byte_order_mark_is_read_as_one_without() {
        refused("\uFEFF" + line("b", 2, ""), "Not a line of JSON");
        assertThat(importAll("\uFEFF" + line("a", 2, ""))).isEqualTo(1);
    }

    @Test
    void a_text_that_only_looks_like_an_escaped_nul_can_be_sent_again() {
        importAll(line("a", 2, properties("{\"x\":\"a\\\\u0000b\"}")));
        stored.served("orders");

        RedrivePlan plan = Redrives.in(stored.database.dataSource(), stored.schema)
                .plan(DeadLetterFilter.open(), RedriveRequest.toSource());

        assertThat(plan.obstacles()).isEmpty();
        assertThat(plan.messages()).isEqualTo(1);
    }

    private static String properties(String json) {
        return ",\"properties\":" + json;
    }

    private static String many(int count, int characters) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"p" + i + "\":\"" + "v".repeat(characters) + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    @Test
    void a_line_that_is_nested_too_deep_is_refused() {
        refused(line("a", 2, ",\"properties\":{\"x\":" + "[".repeat(20_000) + "]".repeat(20_000) + "}"), "epth");
        refused(line("a", 2, ",\"zzz\":" + "{\"a\":".repeat(20_000) + "1" + "}".repeat(20_000)), "epth");
    }

    @Test
    void a_line_without_an_end_is_refused_before_it_is_in_memory() {
        var endless = new BufferedReader(new StringReader(GOOD + "\n" + "x".repeat(10_000)));

        assertThatThrownBy(() -> exchange.importFrom(endless, WORD, 1_000))
                .hasMessageContaining("line 2")
                .hasMessageContaining("longer than 1000 characters");
        assertThat(stored.all()).isEmpty();
    }

    @Test
    void many_lines_before_the_one_that_is_refused_are_taken_back() {
        var lines = new StringBuilder();
        for (int i = 0; i < 250; i++) {
            lines.append(line("m" + i, i, "")).append('\n');
        }

        assertThatThrownBy(() -> importAll(lines + "{}")).hasMessageContaining("line 251");
        assertThat(stored.all()).isEmpty();
        assertThat(importAll(lines.toString())).isEqualTo(250);
        assertThat(importAll(lines.toString())).isZero();
    }

    @Test
    void two_messages_under_one_key_are_both_stored_in_whatever_order_they_come() {
        String key = ",\"key\":\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\"";
        String both = line("a", 1, key) + "\n" + line("b", 1, key) + "\n";

        assertThat(importAll(both)).isEqualTo(2);
        assertThat(importAll(line("c", 1, key) + "\n" + both)).isEqualTo(1);

        assertThat(stored.all())
                .extracting(letter -> letter.content().messageId())
                .containsExactly("a", "b", "c");
    }

    @Test
    void what_a_collector_has_stored_can_be_imported_however_odd_it_is() throws Exception {
        stored.add("orders", "Bad", StoredLetters.content("x".repeat(2_500), "body"));
        stored.add("orders", "Bad", odd("m2", "waybill-claim", "nonsense"));
        stored.add("orders", "Bad", odd("m3", "waybill-claim", UUID.randomUUID()));
        stored.add("orders", "Bad", odd("m4", "waybill-redrive", -1L));
        stored.add("orders", "Bad", odd("m5", "waybill-redrive", 7));
        stored.add("orders", "Bad", odd("m6", "", "a\0b"));
        String exported = exported();
        stored.execute("truncate $schema.dead_letter_message, $schema.dead_letter_state cascade");

        assertThat(importAll(exported)).isEqualTo(6);

        assertThat(exported()).isEqualTo(exported);
    }

    private static MessageContent odd(String id, String property, Object value) {
        return StoredLetters.content(id, "body").withProperties(Map.of(property, value));
    }

    // When it was collected stands in a line too.
    private String exported() throws IOException {
        var lines = new StringWriter();
        exchange.export(DeadLetterFilter.everything(), lines);
        return lines.toString().replaceAll(",\"collectedAt\":\"[^\"]*\"", "");
    }

    @Test
    void a_filter_finds_an_entity_in_any_spelling() {
        importAll(line("a", 1, ""));

        assertThat(stored.letters.count(DeadLetterFilter.everything().entity("ORDERS")))
                .isEqualTo(1);
        assertThat(stored.letters.count(DeadLetterFilter.everything().entity("order")))
                .isZero();
    }

    @Test
    void a_member_that_nobody_knows_is_refused_whatever_its_value_is_and_passed_by_without_one() {
        refused(line("a", 2, ",\"weather\":{\"sun\":[1,2,{}]}"), "no member 'weather'");
        refused(line("a", 2, ",\"n\":1.5"), "no member 'n'");

        assertThat(importAll(line("a", 1, ",\"mood\":null"))).isEqualTo(1);
    }

    private void refused(String hostile, String reason) {
        assertThatThrownBy(() -> importAll(GOOD + "\n\n" + hostile + "\n"))
                .as(hostile.substring(0, Math.min(200, hostile.length())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Nothing was imported, because line 3 is refused: ")
                .hasMessageContaining(reason);
        assertThat(stored.all()).isEmpty();
    }

    private int importAll(String lines) {
        return exchange.importFrom(new BufferedReader(new StringReader(lines)), WORD);
    }

    static String line(String id, long number, String more) {
        return "{\"entity\":\"orders\",\"sequenceNumber\":" + number
                + ",\"enqueuedAt\":\"2026-01-01T00:00:00Z\",\"id\":\"" + id + "\",\"body\":\"eA==\"" + more + "}";
    }
}
