package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.console.RawHttp.Answer;
import dev.waybill.standalone.console.access.ApiRoutes.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs ask and change as people do, and the description is true. */
class ConsoleApiTest extends DescribedApi {
    @Test
    void the_description_and_the_paths_agree_and_every_answer_is_as_described() {
        var described = new ArrayList<Operation>();
        description
                .path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(method -> described.add(new Operation(method, path.getKey()))));
        assertThat(described).containsExactlyInAnyOrderElementsOf(console.operations());

        for (String path : List.of(
                "/api/v1/databases",
                MAIN + "/status",
                MAIN + "/destination?name=orders",
                MAIN + "/messages?by=session&text=wallet-7",
                MAIN + "/holds",
                MAIN + "/holds?side=inbox&most=1",
                MAIN + "/holds/1",
                MAIN + "/dead-letters",
                MAIN + "/dead-letters?state=discarded",
                MAIN + "/dead-letters/groups",
                MAIN + "/dead-letters/1",
                MAIN + "/consumers",
                MAIN + "/deferrals",
                MAIN + "/scheduled",
                MAIN + "/replays",
                "/api/v1/doctor",
                MAIN + "/audit")) {
            assertThat(get(path).status()).as(path).isEqualTo(200);
        }
        assertThat(get(MAIN + "/status").body()).contains("\"invoices\"", "\"refused\"");
        assertThat(get(MAIN + "/holds/1").body()).contains("debit-42").doesNotContain("große");
    }

    @Test
    void what_is_not_understood_is_a_problem_and_changes_nothing() {
        assertThat(get(MAIN + "/holds/77").status()).isEqualTo(404);
        assertThat(get(MAIN + "/holds?side=moon").status()).isEqualTo(400);
        assertThat(get(MAIN + "/holds?most=501").status()).isEqualTo(400);
        assertThat(get(MAIN + "/audit?from=yesterday").status()).isEqualTo(400);
        assertThat(get(MAIN + "/destination?name=oders").body()).contains("orders");
        assertThat(post(MAIN + "/destination/pause?name=orders", "", "{").status())
                .isEqualTo(400);
        assertThat(post(MAIN + "/destination/pause?name=orders", "", "{\"reason\":\" \"}")
                        .status())
                .isEqualTo(400);
        assertThat(post(MAIN + "/destination/pause?name=orders", "", "{\"reason\":\"x\",\"dryRun\":true}")
                        .status())
                .isEqualTo(400);
        assertThat(post(MAIN + "/holds/1/release", "", "{\"reason\":\"x\"}").status())
                .isEqualTo(428);
        assertThat(as(operator).get("/api/v1/nothing").header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(rows("select count(*) from %s.outbox_destination where paused_at is not null"))
                .isEqualTo("0\n");
    }

    @Test
    void a_repeated_pause_changes_nothing_and_a_resume_needs_the_pause_that_was_seen() {
        String pause = MAIN + "/destination/pause?name=orders";
        Answer first = post(pause, "", "{\"reason\":\"flood\"}");
        assertThat(first.body()).contains("\"changed\":true", "\"operator\":\"token:ci\"", "\"reason\":\"flood\"");
        assertThat(post(pause, "", "{\"reason\":\"flood\"}").body()).contains("\"changed\":false");

        String resume = MAIN + "/destination/resume?name=orders";
        assertThat(post(resume, "\"other\"", "{\"reason\":\"over\"}").status()).isEqualTo(412);
        String tag = get(MAIN + "/destination?name=orders").header("ETag");
        assertThat(tag).isEqualTo(first.header("ETag"));
        assertThat(post(resume, tag, "{\"reason\":\"over\"}").body()).contains("\"changed\":true");
        assertThat(post(resume, tag, "{\"reason\":\"over\"}").body()).contains("\"changed\":false");
        assertThat(rows("select action, operator, reason from %s.operator_action order by id"))
                .isEqualTo("pause,token:ci,flood\nresume,token:ci,over\n");
        assertThat(get(MAIN + "/audit?operator=token:ci&most=1").body()).contains("\"resume\"", "\"behind\"");
    }

    @Test
    void holds_and_dead_letters_are_decided_about_once() {
        String tag = get(MAIN + "/holds/1").header("ETag");
        String skip = MAIN + "/holds/1/skip";
        assertThat(post(skip, tag, "{\"reason\":\"x\",\"place\":1,\"message\":\"debit-43\"}")
                        .status())
                .isEqualTo(400);
        assertThat(post(skip, tag, "{\"reason\":\"x\",\"place\":1,\"message\":\"debit-42\"}")
                        .status())
                .isEqualTo(200);
        assertThat(post(skip, tag, "{\"reason\":\"x\",\"place\":1,\"message\":\"debit-42\"}")
                        .status())
                .as("sent twice")
                .isEqualTo(412);
        String now = get(MAIN + "/holds/1").header("ETag");
        assertThat(post(MAIN + "/holds/1/release", now, "{\"reason\":\"mended\"}")
                        .body())
                .contains("retrying");

        String letter = get(MAIN + "/dead-letters/1").header("ETag");
        String discard = MAIN + "/dead-letters/1/discard";
        assertThat(post(discard, letter, "{\"reason\":\"x\"}").body()).contains("\"changed\":true", "discarded");
        assertThat(post(discard, letter, "{\"reason\":\"x\"}").body()).contains("\"changed\":false");
        assertThat(post(MAIN + "/dead-letters/1/reopen", letter, "{\"reason\":\"x\"}")
                        .status())
                .as("the state that was seen is gone")
                .isEqualTo(412);
        String other = get(MAIN + "/dead-letters/2").header("ETag");
        String redrive = MAIN + "/dead-letters/2/redrive";
        assertThat(post(redrive, other, "{\"reason\":\"mended\"}").body()).contains("redriven");
        assertThat(post(redrive, other, "{\"reason\":\"mended\"}").body()).contains("\"changed\":false");
        assertThat(rows("select count(*) from %s.dead_letter_redrive")).isEqualTo("1\n");
        assertThat(
                        rows(
                                "select action, operator from %s.operator_action where subject_kind = 'outbox-hold' order by id"))
                .isEqualTo("skip,token:ci\nrelease,token:ci\n");
    }

    @Test
    void a_token_is_not_a_session_and_a_session_is_not_a_token() {
        RawHttp olga = console.as("olga");
        assertThat(olga.get(MAIN + "/status").status()).as("a cookie alone").isEqualTo(401);
        Answer forged = olga.with("Content-Type", "application/json")
                .postText(MAIN + "/destination/pause?name=orders", "{\"reason\":\"x\"}");
        assertThat(forged.status()).as("a page of ours or of a stranger").isEqualTo(401);
        Answer page = as(operator).get("/?live=off");
        assertThat(page.header("Location")).as("a token on a page").isEqualTo("/sign-in?to=%2F%3Flive%3Doff");
        assertThat(as(operator).get("/api/v1/databases").header("Set-Cookie")).isEmpty();
        assertThat(as(operator)
                        .postText(MAIN + "/destination/pause?name=orders", "reason=x")
                        .status())
                .as("a form")
                .isEqualTo(415);
        assertThat(as(operator)
                        .with("X-HTTP-Method-Override", "POST")
                        .get("/api/v1/databases")
                        .status())
                .isEqualTo(400);
        assertThat(rows("select count(*) from %s.outbox_destination where paused_at is not null"))
                .isEqualTo("0\n");
    }

    @Test
    void a_token_counts_until_its_day_in_its_databases_and_as_long_as_it_is_in_the_file() throws IOException {
        assertThat(as(expired).get("/api/v1/databases").status()).isEqualTo(401);
        assertThat(as(operator + "x").get("/api/v1/databases").status()).isEqualTo(401);
        assertThat(as("").get("/api/v1/databases").header("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(as(elsewhere).get("/api/v1/databases").body()).isEqualTo("{\"databases\":[]}");
        assertThat(as(elsewhere).get(MAIN + "/status").status()).isEqualTo(404);
        RawHttp looking = as(viewer).with("Content-Type", "application/json");
        assertThat(looking.postText(MAIN + "/destination/pause?name=orders", "{\"reason\":\"x\"}")
                        .status())
                .isEqualTo(403);
        assertThat(Files.readString(tokens)).doesNotContain(operator, viewer);

        Files.writeString(tokens, "# nobody any more\n");
        assertThat(as(operator).get("/api/v1/databases").status()).isEqualTo(401);
    }

    @Test
    @Tag("long")
    void people_read_the_description_in_the_console() {
        Browser browser = Browser.shared();
        browser.signIn(console, "victor");
        browser.follow("API");

        assertThat(browser.text()).contains("/api/v1/databases/{db}/holds/{id}/skip", "If-Match", "DeadLetterChange");
        browser.examine("api");
    }
}
