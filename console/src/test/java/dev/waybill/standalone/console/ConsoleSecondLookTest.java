package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.console.RawHttp.Answer;
import dev.waybill.standalone.console.access.TokensFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a stranger, a careless program and two operators at once find. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
class ConsoleSecondLookTest {
    private static final String MAIN = "/api/v1/databases/main";

    @TempDir
    private Path directory;

    private RunningConsole console;
    private DSLContext dsl;
    private String schema;
    private String token;

    @BeforeEach
    void start(TestDatabase database) throws IOException {
        TokensFile.Made made = TokensFile.make("ci", "operator", LocalDate.of(2099, 1, 1));
        token = made.token();
        Path tokens = Files.writeString(directory.resolve("tokens"), made.line() + "\n");
        console = RunningConsole.withPeople(
                database,
                directory,
                "console.tokens-file",
                tokens.toString(),
                "console.redact",
                "subject, description, property:ssn, body:/customer/email");
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        schema = database.schema();
        ExampleOutbox.fill(dsl, schema);
    }

    private RawHttp program() {
        return console.http().with("Authorization", "Bearer " + token);
    }

    private Answer post(String path, String tag, String json) {
        RawHttp typed = program().with("Content-Type", "application/json");
        return (tag.isEmpty() ? typed : typed.with("If-Match", tag)).postText(MAIN + path, json);
    }

    private void hide() {
        dsl.execute("update %s.dead_letter_message set subject = 'topsecret1', description = 'topsecret2'".formatted(schema));
        dsl.execute("update %s.held_message set subject = 'topsecret3'".formatted(schema));
        dsl.execute("update %s.hold set description = 'topsecret4'".formatted(schema));
        dsl.execute("update %s.outbox_scheduled set subject = 'topsecret5'".formatted(schema));
        dsl.execute("update %s.outbox_message set subject = 'topsecret6'".formatted(schema));
    }

    @Test
    void the_api_shows_nothing_that_is_hidden() {
        hide();
        var soft = new SoftAssertions();
        for (String path : List.of(
                "/dead-letters", "/dead-letters/1", "/holds", "/holds/1", "/messages?text=orders-1", "/messages?text=debit-42", "/messages?by=session&text=s1",
                "/audit", "/status", "/dead-letters/groups")) {
            Answer answer = program().get(MAIN + path);
            soft.assertThat(answer.status()).as(path).isEqualTo(200);
            soft.assertThat(answer.body()).as(path).doesNotContain("topsecret");
        }
        String tag = program().get(MAIN + "/dead-letters/1").header("ETag");
        soft.assertThat(post("/dead-letters/1/discard", tag, "{\"reason\":\"x\"}").body()).as("discard").doesNotContain("topsecret");
        tag = program().get(MAIN + "/holds/1").header("ETag");
        soft.assertThat(post("/holds/1/retry", tag, "{\"reason\":\"x\"}").body()).as("retry").doesNotContain("topsecret");
        soft.assertAll();
    }

    @Test
    void pages_of_scheduled_messages_show_nothing_that_is_hidden() {
        hide();
        var soft = new SoftAssertions();
        RawHttp olga = console.as("olga");
        for (String path : List.of(
                "/scheduled?db=main", "/scheduled-message?db=main&id=1", "/messages?db=main&by=message&text=later-1",
                "/messages?db=main&by=session&text=s1", "/held/many?db=main&deed=release", "/dead-letters/many?db=main&deed=redrive", "/audit?db=main", "/")) {
            Answer answer = olga.get(path);
            soft.assertThat(answer.status()).as(path).isEqualTo(200);
            soft.assertThat(answer.body()).as(path).doesNotContain("topsecret");
        }
        soft.assertAll();
    }

    @Test
    void hostile_parameters_are_refused_and_not_blamed_on_the_database() {
        var soft = new SoftAssertions();
        RawHttp olga = console.as("olga");
        var pages = new ArrayList<String>();
        for (String text : List.of("%00", "+999999999-01-01T00:00:00Z".replace("+", "%2B"), "%zz", "%ff%fe")) {
            for (String place : List.of("/dead-letters?db=main&reason=", "/held?db=main&scope=", "/messages?db=main&by=message&text=",
                    "/scheduled?db=main&destination=", "/deferrals?db=main&key=", "/audit?db=main&from=", "/audit?db=main&operator=", "/destination?db=main&name=",
                    "/replay/plan?db=main&destination=orders&session=x&from=", "/dead-letters/many?db=main&deed=redrive&way=entity&target=", "/body?db=main&message=x&scope=", "/sign-in?to=")) {
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
        for (String path : List.of("/dead-letters?reason=%00", "/dead-letters/groups?session=%00", "/holds?side=%00", "/messages?text=%00", "/audit?operator=%00", "/destination?name=%00",
                "/audit?from=%2B999999999-01-01T00:00:00Z", "/audit?behind=%2B999999999-01-01T00:00:00Z~hold~1", "/audit?behind=2026-01-01T00:00:00Z~%00~1", "/dead-letters?reason=%zz")) {
            soft.assertThat(program().get(MAIN + path).status()).as("api " + path).isLessThan(500);
        }
        for (String reason : List.of("a\\u0000b", "\\ud800")) {
            soft.assertThat(post("/destination/pause?name=orders", "", "{\"reason\":\"" + reason + "\"}").status()).as("pause " + reason).isLessThan(500);
            String tag = program().get(MAIN + "/holds/1").header("ETag");
            soft.assertThat(post("/holds/1/release", tag, "{\"reason\":\"" + reason + "\"}").status()).as("release " + reason).isLessThan(500);
            tag = program().get(MAIN + "/dead-letters/1").header("ETag");
            soft.assertThat(post("/dead-letters/1/discard", tag, "{\"reason\":\"" + reason + "\"}").status()).as("discard " + reason).isLessThan(500);
        }
        String csrf = olga.get("/dead-letter?db=main&id=2").hidden("csrf");
        soft.assertThat(olga.post("/destination/pause?db=main", "csrf", csrf, "name", "orders", "reason", "a\u0000b").status()).as("form").isLessThan(500);
        soft.assertThat(olga.post("/dead-letters/choose?db=main", "csrf", csrf, "which", "ticked", "deed", "discard", "id", "1.2.3").status()).as("ticked").isLessThan(500);
        soft.assertThat(console.http().fromOurPage().post("/sign-in", "name", "a\u0000", "password", "x", "to", "").status()).as("sign-in nul").isLessThan(500);
        soft.assertThat(console.http().fromOurPage().postText("/sign-in", "name=%zz&password=%ff").status()).as("sign-in form").isLessThan(500);
        soft.assertThat(console.logged().stream().filter(l -> l.contains("A page of the console")).toList()).isEmpty();
        soft.assertAll();
    }

    @Test
    void a_retry_waits_as_long_as_was_said_or_is_refused() {
        var soft = new SoftAssertions();
        for (String after : List.of("\"1h\"", "\"3600s\"", "99999999999999999999999", "18446744073709551617", "0.9", "null", "[]", "true")) {
            String tag = program().get(MAIN + "/holds/1").header("ETag");
            soft.assertThat(post("/holds/1/retry", tag, "{\"reason\":\"x\",\"afterSeconds\":" + after + "}").status()).as(after).isEqualTo(400);
        }
        for (String place : List.of("\"x\"", "1.5", "18446744073709551617")) {
            String tag = program().get(MAIN + "/holds/1").header("ETag");
            soft.assertThat(post("/holds/1/skip", tag, "{\"reason\":\"x\",\"message\":\"debit-42\",\"place\":" + place + "}").status()).as("place " + place).isIn(400, 412);
        }
        soft.assertAll();
    }

    @Test
    void whoever_skips_a_message_that_somebody_has_edited_meanwhile_is_told() {
        RawHttp olga = console.as("olga");
        Answer page = olga.get("/hold?db=main&side=outbox&id=1");
        String tag = program().get(MAIN + "/holds/1").header("ETag");
        long first = dsl.fetchSingle("select min(place) from %s.held_message where hold_id = 1".formatted(schema)).get(0, Long.class);
        Answer form = olga.get("/hold/edit?db=main&side=outbox&id=1&place=" + first);
        var fields = new ArrayList<>(List.of("csrf", form.hidden("csrf"), "content-type", "application/json", "correlation-id", "fixed", "new-name", "", "new-value", "",
                "body", "{}"));
        Answer preview = olga.post("/hold/edit/preview?db=main&side=outbox&id=1&place=" + first, fields.toArray(String[]::new));
        fields.addAll(List.of("seen", preview.hidden("seen"), "reason", "mended"));
        assertThat(olga.post("/hold/edit?db=main&side=outbox&id=1&place=" + first, fields.toArray(String[]::new)).header("Location")).endsWith("message-edited");

        assertThat(post("/holds/1/skip", tag, "{\"reason\":\"x\",\"message\":\"debit-42\",\"place\":" + first + "}").status()).isEqualTo(412);
        assertThat(olga.post("/hold/skip?db=main", "csrf", page.hidden("csrf"), "side", "outbox", "id", "1", "seen", page.hidden("seen"),
                "place", "" + first, "typed", "debit-42", "reason", "gone").header("Location")).endsWith("hold-changed");
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
        Answer done = olga.post("/dead-letters/many?db=main&deed=discard&entity=orders", "csrf", page.hidden("csrf"), "count", "999999", "last", "999999999999",
                "at", "2099-01-01T00:00:00Z", "typed", "999999", "reason", "x");
        assertThat(dsl.fetchSingle("select count(*) from %s.dead_letter_state where state = 'discarded'".formatted(schema)).get(0, Long.class))
                .as(done.header("Location")).isLessThanOrEqualTo(10_000);
    }

    // Somebody's edit is under way, and holds the row, when the click comes.
    private Answer whileSomebodyEdits(TestDatabase database, java.util.function.Supplier<Answer> click) throws Exception {
        var pool = java.util.concurrent.Executors.newSingleThreadExecutor();
        try (var other = database.dataSource().getConnection()) {
            other.setAutoCommit(false);
            try (var statement = other.createStatement()) {
                statement.execute("update " + schema + ".dead_letter_message set version = 2 where id = 1");
                statement.execute("update " + schema + ".dead_letter_state set changed_at = clock_timestamp() where id = 1");
            }
            var answer = pool.submit(click::get);
            org.awaitility.Awaitility.await().until(() -> answer.isDone() || dsl.fetchSingle("select count(*) from pg_stat_activity where wait_event_type = 'Lock'").get(0, Integer.class) > 0);
            other.commit();
            return answer.get();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void a_click_that_waits_for_somebodys_edit_changes_nothing(TestDatabase database) throws Exception {
        String tag = program().get(MAIN + "/dead-letters/1").header("ETag");
        assertThat(whileSomebodyEdits(database, () -> post("/dead-letters/1/discard", tag, "{\"reason\":\"x\"}")).status()).isEqualTo(412);
    }

    @Test
    void a_click_on_a_page_that_waits_for_somebodys_edit_changes_nothing(TestDatabase database) throws Exception {
        RawHttp olga = console.as("olga");
        Answer page = olga.get("/dead-letter?db=main&id=1");
        assertThat(whileSomebodyEdits(database, () -> olga.post("/dead-letter/discard?db=main", "csrf", page.hidden("csrf"), "id", "1", "seen", page.hidden("seen"), "reason", "x"))
            .header("Location")).endsWith("letter-changed");
    }
}
