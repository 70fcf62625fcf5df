package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on the console, one a test; docs/operations/console-access.md sums them up. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ConsoleAttackTest {
    private static final String PAUSE = "/destination/pause?db=main";

    @TempDir
    private Path directory;

    private TestDatabase database;
    private RunningConsole console;
    private DSLContext dsl;

    @BeforeEach
    void start(TestDatabase database) {
        this.database = database;
        console = RunningConsole.withPeople(
                database,
                directory,
                "console.proxy.addresses",
                "192.0.2.7",
                "console.proxy.secret",
                "0123456789abcdef");
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        ConsoleAccessTest.append(database);
    }

    private int pauses() {
        return dsl.fetchCount(
                DSL.table(database.schema() + ".outbox_destination"), DSL.condition("paused_at is not null"));
    }

    @Test
    void a_change_without_the_token_of_this_session_changes_nothing() {
        RawHttp olga = console.as("olga");
        String foreign = console.as("ada").get("/").hidden("csrf");

        for (String csrf : List.of("", "null", foreign)) {
            assertThat(olga.post(PAUSE, "csrf", csrf, "name", "orders", "reason", "x")
                            .status())
                    .isEqualTo(403);
        }
        assertThat(olga.post(PAUSE, "name", "orders", "reason", "x").status()).isEqualTo(403);
        assertThat(olga.get(PAUSE + "&name=orders&reason=x").status())
                .as("as a link")
                .isEqualTo(405);
        assertThat(pauses()).isZero();
    }

    @Test
    void a_form_of_another_site_is_refused_also_without_an_origin() {
        RawHttp olga = console.as("olga");
        String csrf = olga.get("/").hidden("csrf");

        for (String origin :
                List.of("https://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:" + console.port())) {
            assertThat(olga.with("Origin", origin)
                            .post(PAUSE, "csrf", csrf, "name", "orders", "reason", "x")
                            .status())
                    .isEqualTo(403);
        }
        RawHttp silent = olga.without("Origin");
        for (RawHttp each : List.of(
                silent, silent.with("Sec-Fetch-Site", "cross-site"), silent.with("Sec-Fetch-Site", "same-site"))) {
            assertThat(each.post(PAUSE, "csrf", csrf, "name", "orders", "reason", "x")
                            .status())
                    .isEqualTo(403);
        }
        assertThat(silent.post("/sign-in", "name", "ada", "password", RunningConsole.PASSWORD, "to", "")
                        .status())
                .as("a sign-in under somebody else's name")
                .isEqualTo(403);
        assertThat(olga.with("Content-Type", "text/plain")
                        .postText(PAUSE, "csrf=" + csrf)
                        .status())
                .isEqualTo(415);
        assertThat(pauses()).isZero();
        assertThat(silent.with("Sec-Fetch-Site", "same-origin")
                        .post(PAUSE, "csrf", csrf, "name", "orders", "reason", "x")
                        .status())
                .isEqualTo(303);
    }

    @Test
    void texts_of_messages_and_reasons_are_text_on_every_page() throws SQLException {
        String evil = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>{{ 'q9'~'z8' }}";
        dsl.execute(
                "insert into " + database.schema() + ".outbox_message (destination, message_id, payload)"
                        + " values ({0}, {0}, '{}')",
                DSL.val(evil));
        RawHttp olga = console.as("olga");
        String page = "/destination?db=main&name=" + RawHttp.encoded(evil);
        Answer before = olga.get(page);
        olga.post(PAUSE, "csrf", before.hidden("csrf"), "name", evil, "reason", evil);

        ExampleOutbox.holdAndKill(dsl, database.schema(), evil);
        dsl.execute(
                "insert into " + database.schema() + ".dead_letter_redrive (way, target, operator, reason)"
                        + " values ('entity', {0}, {0}, {0})",
                DSL.val(evil));
        String scope = RawHttp.encoded(evil);

        for (String path : List.of(
                "/",
                page,
                "/parts/overview",
                "/destination?db=main&name=" + RawHttp.encoded(evil + "2"),
                "/messages?db=main&by=message&text=" + scope,
                "/messages?db=main&by=session&text=" + scope,
                "/messages?db=main&by=trace-id&text=" + scope,
                "/body?db=main&scope=" + scope + "&message=" + scope + "&session=" + scope,
                "/body?db=main&letter=1&as=text",
                "/held?db=main",
                "/held?db=main&scope=" + scope + "&reason=" + scope,
                "/held/many?db=main&deed=release&scope=" + scope,
                "/hold/edit?db=main&side=outbox&id=1&place=1",
                "/dead-letters/many?db=main&deed=redrive&entity=" + scope,
                "/dead-letters/many?db=main&deed=redact&fields=body&target=" + scope,
                "/dead-letter/edit?db=main&id=1",
                "/redrives?db=main",
                "/redrive?db=main&id=1",
                "/audit?db=main",
                "/hold?db=main&side=outbox&id=1",
                "/dead-letters?db=main",
                "/dead-letters?db=main&entity=" + scope + "&reason=" + scope + "&session=" + scope,
                "/dead-letter?db=main&id=1",
                "/sign-in?to=" + scope)) {
            Answer answer = olga.get(path);
            if (path.startsWith("/sign-in")) {
                assertThat(answer.body()).doesNotContain("script>alert");
                continue;
            }
            assertThat(answer.body())
                    .as(path)
                    .contains("&lt;script&gt;")
                    .doesNotContain("<script>alert", "<img src=x", "\"'><", "q9z8");
        }
    }

    @Test
    void nobody_gets_more_than_the_role_by_asking_differently() {
        RawHttp victor = console.as("victor");
        String csrf = victor.get("/").hidden("csrf");

        assertThat(victor.post(PAUSE, "csrf", csrf, "name", "orders", "reason", "x")
                        .status())
                .isEqualTo(403);
        assertThat(victor.get("/body?db=main&letter=1").status()).as("a body").isEqualTo(403);
        assertThat(victor.post("/people/end", "csrf", csrf, "id", "1").status()).isEqualTo(403);
        assertThat(victor.post(PAUSE + "&db=other", "csrf", csrf, "name", "orders", "reason", "x")
                        .status())
                .as("two databases")
                .isEqualTo(400);
        assertThat(victor.with("X-HTTP-Method-Override", "POST")
                        .get(PAUSE + "&csrf=" + csrf + "&name=orders&reason=x")
                        .status())
                .isEqualTo(400);
        assertThat(victor.send("PUT " + PAUSE, "").status()).isEqualTo(405);
        assertThat(victor.send("TRACE /", "").status()).isEqualTo(405);
        assertThat(pauses()).isZero();
    }

    @Test
    void a_path_written_in_another_way_leads_nowhere() {
        RawHttp nobody = console.http();

        for (String path : List.of(
                "/./",
                "//",
                "/%2e%2e/",
                "/assets/../people",
                "/assets/..%2fpeople",
                "/people/",
                "/People",
                "/people;x=y",
                "/people%00",
                "/people%2f..%2f",
                "/\\people",
                "/assets/%252e%252e/")) {
            assertThat(nobody.get(path).status()).as(path).isIn(400, 404);
        }
        assertThat(nobody.send("GET http://evil.example/", "").status()).isIn(400, 421);
    }

    @Test
    void a_name_that_was_made_to_resolve_to_this_machine_shows_nothing() {
        RawHttp ada = console.as("ada");

        for (String host : List.of(
                "evil.example",
                "evil.example:" + console.port(),
                "127.0.0.1.evil.example",
                "127.0.0.2",
                "",
                "127.0.0.1@evil.example",
                "localhost.")) {
            assertThat(ada.with("Host", host).get("/").status()).as(host).isIn(400, 421);
        }
        assertThat(ada.without("Host").get("/").status()).isEqualTo(400);
        assertThat(ada.with("host", "evil.example").get("/").status()).as("two").isIn(400, 421);
        assertThat(ada.with("X-Forwarded-Host", "evil.example").get("/").status())
                .isEqualTo(200);
        assertThat(ada.with("Host", "LOCALHOST:" + console.port()).get("/").status())
                .isEqualTo(200);
    }

    @Test
    void no_answer_can_be_framed_sniffed_cached_or_made_to_run_a_script() {
        RawHttp ada = console.as("ada");

        for (Answer answer : List.of(
                ada.get("/"),
                ada.get("/no-such-page"),
                console.http().get("/"),
                console.http().get("/sign-in"),
                ada.get("/parts/overview"),
                ada.post("/sign-out"),
                ada.with("Host", "evil.example").get("/"))) {
            assertThat(answer.header("Content-Security-Policy"))
                    .contains("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'")
                    .doesNotContain("unsafe", "data:", "*");
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
            assertThat(answer.header("Referrer-Policy")).isEqualTo("same-origin");
            assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
            assertThat(answer.header("Server")).isEmpty();
        }
    }

    @Test
    void too_much_is_refused() {
        RawHttp ada = console.as("ada");
        String csrf = ada.get("/").hidden("csrf");

        assertThat(ada.post(PAUSE, "csrf", csrf, "name", "orders", "reason", "x".repeat(501))
                        .status())
                .isEqualTo(400);
        assertThat(ada.post(PAUSE, "csrf", csrf, "name", "orders", "reason", "x".repeat(70_000))
                        .status())
                .isEqualTo(413);
        assertThat(ada.get("/?x=" + "x".repeat(9_000)).status()).isIn(414, 431);
        assertThat(ada.with("X-Long", "x".repeat(9_000)).get("/").status()).isEqualTo(431);
        assertThat(pauses()).isZero();
    }

    @Test
    void what_fails_shows_nothing_of_the_program() throws SQLException {
        RawHttp ada = console.as("ada");
        database.execute("alter table " + database.schema() + ".outbox_destination drop column paused_at cascade");

        Answer answer = ada.get("/destination?db=main&name=orders");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).doesNotContain("Exception", "at dev.waybill", "select ");
        database.execute("alter table " + database.schema() + ".console_session rename to gone");
        Answer stranger =
                console.http().with("Cookie", "waybill=" + "A".repeat(43)).get("/");
        assertThat(stranger.status()).isEqualTo(503);
        assertThat(stranger.body()).doesNotContain("console_session", "ERROR", "0.9");
    }
}
