package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.console.RawHttp.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dead letters come from a file: looked at first, imported once, and never by a form of somebody else. */
@Timeout(60)
class ConsoleImportTest extends ConsoleWithToken {
    private static final String LOOK = "/dead-letters/import/look?db=main";
    private static final String IMPORT = "/dead-letters/import?db=main";
    private static final String BOUNDARY = "----waybill";

    private static String line(String id, int number) {
        return "{\"entity\":\"orders\",\"sequenceNumber\":" + number
                + ",\"enqueuedAt\":\"2026-01-01T00:00:00Z\",\"id\":\"" + id + "\",\"body\":\"eA==\"}\n";
    }

    private static Answer upload(RawHttp person, String target, String file, String... fields) {
        var body = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            body.append("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + fields[i] + "\"\r\n\r\n"
                    + fields[i + 1] + "\r\n");
        }
        body.append("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"d.ndjson\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n" + file + "\r\n--" + BOUNDARY + "--\r\n");
        return person.with("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                .postText(target, body.toString());
    }

    private String rows(String query) {
        return dsl.fetch(query.formatted(schema)).formatCSV(false);
    }

    private String letters() {
        return rows("select count(*) from %s.dead_letter_message").strip();
    }

    @Test
    @Tag("long")
    void a_file_is_looked_at_and_then_imported_with_a_reason_that_stays() throws IOException {
        Path file = Files.writeString(directory.resolve("d.ndjson"), line("moved-1", 71) + line("moved-2", 72));
        Browser browser = Browser.shared();
        browser.signIn(console, "olga");
        browser.to(console.address() + "/dead-letters?db=main");
        browser.follow("Import");
        browser.find("#file").sendKeys(file.toString());
        browser.press("Look at it");
        assertThat(browser.text()).contains("Would be imported", "Import 2");
        browser.examine("dead-letters-import");
        assertThat(letters()).isEqualTo("3");

        browser.find("#same").sendKeys(file.toString());
        browser.type("why", "moved from the old server");
        browser.press("Import");

        assertThat(browser.text()).contains("2 dead letters are imported", "moved-1", "moved-2");
        assertThat(rows("select action, operator, reason from %s.operator_action"))
                .isEqualTo("import,olga,moved from the old server\n");
    }

    @Test
    void a_form_that_is_sent_twice_imports_once_and_another_file_than_the_one_that_was_seen_is_refused() {
        RawHttp olga = console.as("olga");
        String csrf = olga.get(IMPORT).hidden("csrf");
        String file = line("moved-1", 71);
        String digest = upload(olga, LOOK, file, "csrf", csrf).hidden("digest");
        String[] form = {"csrf", csrf, "digest", digest, "reason", "moved"};

        assertThat(upload(olga, IMPORT, file + line("smuggled", 73), form).status())
                .isEqualTo(409);
        assertThat(upload(olga, IMPORT, file, form).header("Location")).endsWith("imported=1");
        assertThat(upload(olga, IMPORT, file, form).header("Location"))
                .as("a second click")
                .endsWith("imported=0");
        assertThat(letters()).isEqualTo("4");
        assertThat(rows("select count(*) from %s.operator_action").strip()).isEqualTo("1");
    }

    @Test
    void lines_that_are_refused_are_shown_with_their_number_and_nothing_is_imported() {
        RawHttp olga = console.as("olga");
        String csrf = olga.get(IMPORT).hidden("csrf");
        String file = line("a", 71) + "<b>no JSON</b>\n" + line("", 72);
        Answer looked = upload(olga, LOOK, file, "csrf", csrf);

        assertThat(looked.body()).contains("Line 2: ", "Line 3: ").doesNotContain("<b>", "name=\"digest\"");
        assertThat(upload(olga, LOOK, "\u00ff\u00fe", "csrf", csrf).body()).contains("not UTF-8");
        assertThat(upload(olga, LOOK, "", "csrf", csrf).status()).isEqualTo(400);
        assertThat(letters()).isEqualTo("3");
    }

    @Test
    void nobody_imports_without_the_role_the_token_of_the_session_or_by_too_large_a_file() {
        RawHttp olga = console.as("olga");
        String csrf = olga.get(IMPORT).hidden("csrf");
        String file = line("a", 71);

        assertThat(upload(olga, LOOK, file).status()).as("without the token").isEqualTo(403);
        assertThat(upload(olga, LOOK, file, "csrf", csrf + "x").status()).isEqualTo(403);
        assertThat(upload(olga.with("Origin", "http://evil.example"), LOOK, file, "csrf", csrf)
                        .status())
                .isEqualTo(403);
        assertThat(console.as("victor").get(IMPORT).status()).isEqualTo(403);
        assertThat(upload(console.as("victor"), LOOK, file, "csrf", csrf).status())
                .isEqualTo(403);
        assertThat(upload(olga, "/hold/release?db=main", file, "csrf", csrf).status())
                .as("a form with a file where none belongs")
                .isEqualTo(415);
        RawHttp large = olga.with("Content-Type", "multipart/form-data; boundary=" + BOUNDARY);
        assertThat(large.with("Content-Length", "13000000")
                        .send("POST " + LOOK, "--" + BOUNDARY)
                        .status())
                .isEqualTo(413);
        assertThat(large.with("Transfer-Encoding", "chunked")
                        .send("POST " + LOOK, "0\r\n\r\n")
                        .status())
                .isEqualTo(411);
        assertThat(large.postText(LOOK, "no parts").status()).isEqualTo(400);
        assertThat(letters()).isEqualTo("3");
    }

    @Test
    @Tag("long")
    void two_people_who_import_the_same_letters_in_another_order_do_not_wait_for_each_other() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int n = 0; n < 3_000; n++) {
            lines.add(line("m" + n, 1_000 + n));
        }
        String one = String.join("", lines);
        Collections.reverse(lines);
        String other = String.join("", lines);
        RawHttp olga = console.as("olga");
        RawHttp ada = console.as("ada");

        CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> imported(olga, one));
        Answer second = imported(ada, other);

        assertThat(List.of(first.get().body(), second.body()))
                .as("nobody is told to ask for less")
                .noneMatch(body -> body.contains("takes too long"));
        assertThat(letters()).isEqualTo("3003");
    }

    private static Answer imported(RawHttp person, String file) {
        String csrf = person.get(IMPORT).hidden("csrf");
        Answer looked = upload(person, LOOK, file, "csrf", csrf);
        return looked.status() == 200
                ? upload(person, IMPORT, file, "csrf", csrf, "digest", looked.hidden("digest"), "reason", "moved")
                : looked;
    }
}
