package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.console.RawHttp.Answer;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that no browser and no careful program would send. */
@Timeout(90)
class ConsoleHostileRequestTest extends ConsoleWithToken {
    @Test
    @Tag("long")
    void hostile_parameters_are_refused_and_not_blamed_on_the_database() {
        var soft = new SoftAssertions();
        RawHttp olga = console.as("olga");
        var pages = new ArrayList<String>();
        for (String text : List.of("%00", "+999999999-01-01T00:00:00Z".replace("+", "%2B"), "%zz", "%ff%fe")) {
            for (String place : List.of(
                    "/dead-letters?db=main&reason=",
                    "/held?db=main&scope=",
                    "/messages?db=main&by=message&text=",
                    "/scheduled?db=main&destination=",
                    "/deferrals?db=main&key=",
                    "/audit?db=main&from=",
                    "/audit?db=main&operator=",
                    "/destination?db=main&name=",
                    "/replay/plan?db=main&destination=orders&session=x&from=",
                    "/dead-letters/many?db=main&deed=redrive&way=entity&target=",
                    "/body?db=main&message=x&scope=",
                    "/sign-in?to=")) {
                pages.add(place + text);
            }
        }
        pages.add("/scheduled?db=main&after=%2B999999999-01-01T00:00:00Z~1");
        pages.add("/audit?db=main&behind=%2B999999999-01-01T00:00:00Z~hold~1");
        pages.add("/audit?db=main&behind=2026-01-01T00:00:00Z~%00~1");
        pages.add("/deferrals?db=main&aconsumer=%00&akey=x&after=11111111-1111-1111-1111-111111111111");
        for (String page : pages) {
            soft.assertThat(olga.get(page).status()).as(page).isLessThan(500);
        }
        for (String path : List.of(
                "/dead-letters?reason=%00",
                "/dead-letters/groups?session=%00",
                "/holds?side=%00",
                "/messages?text=%00",
                "/audit?operator=%00",
                "/destination?name=%00",
                "/audit?from=%2B999999999-01-01T00:00:00Z",
                "/audit?behind=%2B999999999-01-01T00:00:00Z~hold~1",
                "/audit?behind=2026-01-01T00:00:00Z~%00~1",
                "/dead-letters?reason=%zz")) {
            soft.assertThat(program().get(MAIN + path).status())
                    .as("api " + path)
                    .isLessThan(500);
        }
        for (String reason : List.of("a\\u0000b", "\\ud800")) {
            soft.assertThat(post("/destination/pause?name=orders", "", "{\"reason\":\"" + reason + "\"}")
                            .status())
                    .as("pause " + reason)
                    .isLessThan(500);
            String tag = program().get(MAIN + "/holds/1").header("ETag");
            soft.assertThat(post("/holds/1/release", tag, "{\"reason\":\"" + reason + "\"}")
                            .status())
                    .as("release " + reason)
                    .isLessThan(500);
            tag = program().get(MAIN + "/dead-letters/1").header("ETag");
            soft.assertThat(post("/dead-letters/1/discard", tag, "{\"reason\":\"" + reason + "\"}")
                            .status())
                    .as("discard " + reason)
                    .isLessThan(500);
        }
        String csrf = olga.get("/dead-letter?db=main&id=2").hidden("csrf");
        soft.assertThat(olga.post("/destination/pause?db=main", "csrf", csrf, "name", "orders", "reason", "a\u0000b")
                        .status())
                .as("form")
                .isLessThan(500);
        soft.assertThat(olga.post(
                                "/dead-letters/choose?db=main",
                                "csrf",
                                csrf,
                                "which",
                                "ticked",
                                "deed",
                                "discard",
                                "id",
                                "1.2.3")
                        .status())
                .as("ticked")
                .isLessThan(500);
        soft.assertThat(console.http()
                        .fromOurPage()
                        .post("/sign-in", "name", "a\u0000", "password", "x", "to", "")
                        .status())
                .as("sign-in nul")
                .isLessThan(500);
        soft.assertThat(console.http()
                        .fromOurPage()
                        .postText("/sign-in", "name=%zz&password=%ff")
                        .status())
                .as("sign-in form")
                .isLessThan(500);
        soft.assertThat(console.logged().stream()
                        .filter(l -> l.contains("Console page"))
                        .toList())
                .isEmpty();
        soft.assertAll();
    }

    @Test
    @Tag("long")
    void a_retry_waits_as_long_as_was_said_or_is_refused() {
        var soft = new SoftAssertions();
        for (String after : List.of(
                "\"1h\"",
                "\"3600s\"",
                "99999999999999999999999",
                "18446744073709551617",
                "0.9",
                "null",
                "[]",
                "true")) {
            String tag = program().get(MAIN + "/holds/1").header("ETag");
            soft.assertThat(post("/holds/1/retry", tag, "{\"reason\":\"x\",\"afterSeconds\":" + after + "}")
                            .status())
                    .as(after)
                    .isEqualTo(400);
        }
        for (String place : List.of("\"x\"", "1.5", "18446744073709551617")) {
            String tag = program().get(MAIN + "/holds/1").header("ETag");
            soft.assertThat(post(
                                    "/holds/1/skip",
                                    tag,
                                    "{\"reason\":\"x\",\"message\":\"debit-42\",\"place\":" + place + "}")
                            .status())
                    .as("place " + place)
                    .isIn(400, 412);
        }
        soft.assertAll();
    }

    @Test
    @Tag("long")
    void every_page_shows_hostile_texts_as_text() {
        String evil = "\"><script>alert(1)</script>'`&lt;";
        ExampleOutbox.holdAndKill(dsl, schema, evil);
        dsl.execute(
                "insert into %1$s.outbox_scheduled (id, destination, message_id, payload, due_at, subject, session_id) values (6, {0}, {0}, '{}', clock_timestamp() + interval '1 day', {0}, {0})"
                        .formatted(schema),
                DSL.val(evil));
        dsl.execute("insert into %1$s.outbox_destination (destination) values ({0})".formatted(schema), DSL.val(evil));
        dsl.execute(
                "insert into %1$s.operator_action (subject_kind, subject, action, reason, operator) values ('destination', {0}, 'pause', {0}, {0})"
                        .formatted(schema),
                DSL.val(evil));
        dsl.execute(
                "insert into %1$s.inbox_instance (longest_attempt, consumer, id, alive_until) values (60000, {0}, gen_random_uuid(), clock_timestamp() + interval '1 hour')"
                        .formatted(schema),
                DSL.val(evil));
        String url = RawHttp.encoded(evil);
        RawHttp ada = console.as("ada");
        var soft = new SoftAssertions();
        for (String path : List.of(
                "/",
                "/destination?db=main&name=" + url,
                "/messages?db=main&by=message&text=" + url,
                "/messages?db=main&by=session&text=" + url,
                "/held?db=main",
                "/held?db=main&scope=" + url + "&reason=" + url,
                "/held/many?db=main&deed=skip-all&scope=" + url,
                "/hold?db=main&side=outbox&id=2",
                "/dead-letters?db=main&entity=" + url + "&reason=" + url,
                "/dead-letters/many?db=main&deed=redrive&way=entity&target=" + url + "&entity=" + url,
                "/dead-letter?db=main&id=4",
                "/dead-letter/edit?db=main&id=4",
                "/body?db=main&letter=4",
                "/redrives?db=main",
                "/consumers?db=main",
                "/scheduled?db=main",
                "/scheduled?db=main&destination=" + url,
                "/scheduled-message?db=main&id=6",
                "/deferrals?db=main&consumer=" + url + "&key=" + url,
                "/replay?db=main",
                "/replay/plan?db=main&destination=" + url + "&session=" + url,
                "/audit?db=main",
                "/audit?db=main&operator=" + url + "&from=" + url,
                "/people",
                "/api",
                "/held?db=" + url,
                "/dead-letters?db=main&deed=" + url + "&changed=1&of=1",
                "/nothing?" + url,
                "/sign-in?to=" + url)) {
            Answer page = ada.get(path);
            soft.assertThat(page.status()).as(path).isLessThan(500).isNotEqualTo(303);
            soft.assertThat(page.body()).as(path).doesNotContain("<script>alert", "\"><script");
        }
        soft.assertThat(program()
                        .with("Host", "evil.example")
                        .get(MAIN + "/holds")
                        .status())
                .isEqualTo(421);
        soft.assertThat(console.http()
                        .with("Authorization", "bearer " + token)
                        .get(MAIN + "/holds")
                        .status())
                .as("scheme")
                .isEqualTo(200);
        soft.assertAll();
    }

    @Test
    void a_forged_form_changes_and_exports_no_more_than_a_page() {
        dsl.execute("delete from %s.dead_letter_state".formatted(schema));
        dsl.execute("""
            with m as (
              insert into %1$s.dead_letter_message (
                key, entity, sequence_number, enqueued_at, message_id, payload, content_type, reason, description)
              select gen_random_uuid(), 'orders', 100 + n, clock_timestamp(), 'many-' || n,
                convert_to('{}', 'UTF8'), 'application/json', 'r', 'd'
              from generate_series(1, 10050) n returning id)
            insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
            """.formatted(schema));
        RawHttp olga = console.as("olga");
        Answer page = olga.get("/dead-letters/many?db=main&deed=discard&entity=orders");
        Answer done = olga.post(
                "/dead-letters/many?db=main&deed=discard&entity=orders",
                "csrf",
                page.hidden("csrf"),
                "count",
                "999999",
                "last",
                "999999999999",
                "at",
                "2099-01-01T00:00:00Z",
                "typed",
                "999999",
                "reason",
                "x");
        assertThat(dsl.fetchSingle(
                                "select count(*) from %s.dead_letter_state where state = 'discarded'".formatted(schema))
                        .get(0, Long.class))
                .as(done.header("Location"))
                .isLessThanOrEqualTo(10_000);
    }
}
