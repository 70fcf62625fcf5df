package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.message.Headers;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.util.List;
import java.util.Map;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages are found by subject and property, in a stretch that is told, and never by what is hidden. */
class ConsoleContentSearchTest extends DescribedApi {
    private void append(String id, long position, @Nullable String subject, @Nullable String headers) {
        dsl.execute(
                "insert into " + schema + ".outbox_message (seq, destination, session_id, message_id, subject, headers,"
                        + " payload) values ({0}, 'orders', 's1', {1}, {2}, {3}::jsonb, '')",
                DSL.val(position),
                DSL.val(id),
                DSL.val(subject),
                DSL.val(headers));
    }

    private String search(String query) {
        return get(MAIN + "/messages/search?" + query).body();
    }

    @Test
    @Tag("long")
    void messages_are_found_by_their_subject_wherever_they_are() {
        append("in-outbox", 500, "order.placed", null);
        append("another", 501, "order.placed.again", null);
        dsl.execute(
                "update " + schema + ".outbox_held_message set subject = 'order.placed' where message_id = 'debit-43'");

        assertThat(search("text=order.placed"))
                .contains("\"in-outbox\"", "\"orders-3\"", "\"debit-43\"", "\"held\"", "\"dead letter\"")
                .doesNotContain("another", "debit-42");
        assertThat(search("text=order.placed&most=2")).contains("\"cut\":true");
        assertThat(search("text=nothing")).contains("\"found\":[]", "\"deadLetters\":3", "\"heldMessages\":3");

        Browser browser = Browser.shared();
        browser.signIn(console, "victor");
        browser.to(console.address() + "/messages?db=main&by=subject&text=order.placed");
        assertThat(browser.text()).contains("in-outbox", "dead letters", "appended since", "no others further back");
        browser.examine("messages-found");
        browser.follow("in-outbox");
        assertThat(browser.text()).contains("appended");
    }

    @Test
    void a_property_is_found_by_its_value_in_every_type_and_not_by_a_part_of_it() {
        append("text", 500, null, "{\"tenant\": \"a \\\"b\\\" ü\"}");
        append("one", 501, null, "{\"n\": 1, \"other\": \"10\"}");
        append("ten", 502, null, "{\"n\": 10}");
        append("typed", 503, null, "{\"n\": {\"int\": 1}, \"odd\": {\"double\": 2.5}}");
        append("odd", 504, null, "{\"n\": [1]}");
        dsl.execute("update " + schema + ".dead_letter_message set headers = '{\"n\":1}' where id = 2");

        assertThat(search("property=n&text=1"))
                .contains("\"one\"", "\"typed\"", "\"orders-2\"")
                .doesNotContain("\"ten\"", "\"odd\"", "\"orders-1\"");
        assertThat(search("property=tenant&text=" + RawHttp.encoded("a \"b\" ü")))
                .contains("\"message\":\"text\"");
        assertThat(search("property=odd&text=2.5")).contains("\"typed\"");
        assertThat(search("property=" + RawHttp.encoded("n\" or '%'") + "&text=1"))
                .contains("\"found\":[]");
        RawHttp victor = console.as("victor");
        assertThat(victor.get("/messages?db=main&by=property&text=n%3D1").body())
                .contains(">one<", ">typed<");
        assertThat(victor.get("/messages?db=main&by=property&text=n").status()).isEqualTo(400);
        assertThat(victor.get("/messages?db=main&by=property&text=n%3D1&before=x")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_short_value_is_found_behind_thousands_of_messages_that_have_it_in_other_properties() {
        dsl.execute("insert into " + schema + ".outbox_message (destination, session_id, message_id, headers, payload)"
                + " select 'orders', 's1', 'm' || n, jsonb_build_object('tenant', (10 + n)::text, 'trace', '00-7' || n),"
                + " '' from generate_series(1, 2000) n");
        append("the-one", 0, null, "{\"tenant\": \"7\", \"trace\": \"00-7\"}");
        append("typed", 1, null, "{\"trace\": \"00-7\", \"tenant\": {\"int\": \"7\"}}");
        dsl.execute("update " + schema + ".outbox_message set created_at = created_at - interval '1 hour'"
                + " where message_id in ('the-one', 'typed')");

        assertThat(search("property=tenant&text=7"))
                .contains("\"the-one\"", "\"typed\"", "\"cut\":false")
                .doesNotContain("\"m7\"");
        assertThat(console.as("victor")
                        .get("/messages?db=main&by=property&text=tenant%3D7")
                        .body())
                .contains(">the-one<")
                .doesNotContain("Nothing among them fits");
    }

    @Test
    void signs_of_patterns_and_control_characters_in_a_value_are_themselves() {
        for (String value : List.of("a.b", "[x]*", "\\", "\\u001F", "\u001f", "a\u000b$", "(\"|{2}^+?")) {
            append("it", 500, null, Headers.write(Map.of("a.n", value)));
            append("other", 501, null, "{\"a.n\": \"axb\", \"axn\": \"x\"}");
            assertThat(search("property=a.n&text=" + RawHttp.encoded(value)))
                    .as(value)
                    .contains("\"it\"")
                    .doesNotContain("\"other\"");
            dsl.execute("delete from " + schema + ".outbox_message where message_id in ('it', 'other')");
        }
    }

    @Test
    @Tag("long")
    void dead_letters_are_found_behind_a_gap_in_their_numbers() {
        dsl.execute("select setval(pg_get_serial_sequence('" + schema + ".dead_letter_message', 'id'), 50000)");
        ExampleOutbox.holdAndKill(dsl, schema, "newest");

        assertThat(search("text=order.placed")).contains("\"orders-3\"", "\"deadLetters\":4", "\"before\":null");
    }

    @Test
    void held_messages_are_found_behind_ten_thousand_newer_ones() {
        dsl.execute("update " + schema + ".outbox_held_message set subject = 'rare' where message_id = 'debit-43'");
        dsl.execute("with h as (insert into " + schema
                + ".outbox_hold (destination, session_id, state, reason, description)"
                + " values ('orders', 'large', 'parked', 'r', 'd') returning id) insert into " + schema
                + ".outbox_held_message (hold_id, message_id, session_id, payload, origin_position, origin_time)"
                + " select id, 'l' || n, 'large', '', n, clock_timestamp() from h, generate_series(1, 10050) n");
        Answer newest = get(MAIN + "/messages/search?text=rare");
        assertThat(newest.body()).contains("\"found\":[]", "\"heldMessages\":10000,");
        assertThat(console.as("victor")
                        .get("/messages?db=main&by=subject&text=rare")
                        .body())
                .contains("Look further back");

        String before = RawHttp.encoded(field(newest, "/before"));
        assertThat(search("text=rare&before=" + before))
                .contains("\"debit-43\"", "\"heldMessages\":53,", "\"outboxRows\":0,", "\"before\":null");
    }

    @Test
    void a_search_looks_through_the_newest_stretch_and_further_back_when_it_is_asked_to() {
        append("old", 500, "rare", null);
        append("newest", 400_000, "other", null);
        Answer newest = get(MAIN + "/messages/search?text=rare");
        assertThat(newest.body()).contains("\"found\":[]", "\"outboxRows\":1,");

        String before = field(newest, "/before");
        int steps = 0;
        String found = newest.body();
        while (!before.equals("null") && steps < 20) {
            Answer next = get(MAIN + "/messages/search?text=rare&before=" + RawHttp.encoded(before));
            found = next.body();
            before = field(next, "/before");
            steps++;
        }
        assertThat(steps).isEqualTo(7);
        assertThat(found).contains("\"message\":\"old\"", "\"before\":null");
        assertThat(console.as("victor")
                        .get("/messages?db=main&by=subject&text=rare")
                        .body())
                .contains("Nothing among them fits", "Look further back");
    }

    @Test
    void what_is_hidden_cannot_be_looked_for(TestDatabase database) {
        RunningConsole hiding = RunningConsole.withPeople(
                database,
                directory,
                "console.redact",
                "subject, property:ssn",
                "console.tokens-file",
                tokens.toString());
        RawHttp victor = hiding.as("victor");

        assertThat(victor.get("/messages?db=main&by=subject&text=order.placed").status())
                .isEqualTo(403);
        assertThat(victor.get("/messages?db=main&by=property&text=ssn%3D1").status())
                .isEqualTo(403);
        append("with", 500, "topsecret", "{\"n\": 1}");
        assertThat(victor.get("/messages?db=main&by=property&text=n%3D1").body())
                .contains(">with<", "masked")
                .doesNotContain("topsecret");
        assertThat(hiding.http()
                        .with("Authorization", "Bearer " + operator)
                        .get(MAIN + "/messages/search?text=order.placed")
                        .status())
                .isEqualTo(403);
    }
}
