package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.console.RawHttp.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dead letters and held messages are edited after a look at the difference, and come back from the form as they were. */
class ConsoleEditTest extends ConsoleWithPeople {
    @BeforeEach
    void prepare() {
        dsl.execute("update " + database.schema() + ".dead_letter_message set headers ="
                + " '{\"tenant\":\"blue\",\"tries\":{\"int\":\"3\"},\"waybill-redrive\":1}' where id = 1");
    }

    private String body(long id) {
        return new String(
                dsl.fetchSingle(
                                "select payload from " + database.schema() + ".dead_letter_message where id = {0}",
                                DSL.val(id))
                        .get(0, byte[].class),
                StandardCharsets.UTF_8);
    }

    private void set(String body) {
        dsl.execute(
                "update " + database.schema() + ".dead_letter_message set payload = {0}, content_type = 'text/plain'",
                DSL.val(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    @Tag("long")
    void a_letter_is_edited_after_a_look_at_the_difference() {
        browser.signIn(console, "olga");
        browser.to(console.address() + "/dead-letter?db=main&id=1");
        browser.follow("Edit");
        assertThat(browser.text()).contains("locked: Waybill's own", "locked: no text, but Integer", "keeps the ids");
        browser.examine("edit");
        browser.type("body", "{\"order\": 1, \"wallet\": 7}");
        browser.find("input[name='property:tenant']").sendKeys("-green");
        browser.press("Show the difference");
        assertThat(browser.text())
                .contains(
                        "blue-green", "\"wallet\" : 7", "12 bytes now, 25 then", "Shown with one JSON member per line");
        browser.examine("edit-preview");
        assertThat(body(1)).isEqualTo("{\"order\": 1}");
        browser.type("why", "the wallet was missing");
        browser.press("Save");

        assertThat(browser.text())
                .contains("The dead letter is edited", "Changed since it came", "the wallet was missing");
        assertThat(body(1)).isEqualTo("{\"order\": 1, \"wallet\": 7}");
        assertThat(dsl.fetchSingle("select headers from " + database.schema() + ".dead_letter_message where id = 1")
                        .get(0, String.class))
                .contains("blue-green", "tries", "waybill-redrive");
    }

    @Test
    @Tag("long")
    void a_form_that_is_not_touched_changes_nothing_whatever_the_text_is() {
        RawHttp olga = console.as("olga");
        browser.signIn(console, "olga");
        for (String body :
                List.of("\nfirst line empty\n", "a\r\nb\r\n", "  </textarea><b>&amp;\"' größe\t\u202eevil ")) {
            set(body);
            browser.to(console.address() + "/dead-letter/edit?db=main&id=1");
            browser.press("Show the difference");
            assertThat(browser.text()).as(body).contains("Nothing: it says what it said.");
        }
        for (String body : List.of("a\nb\r\nc", "bell \u0007", "old mac\rend", "x".repeat(13_000))) {
            set(body);
            assertThat(olga.get("/dead-letter/edit?db=main&id=1").body())
                    .as(body)
                    .contains("locked")
                    .doesNotContain("<textarea");
        }
    }

    private static String[] form(Answer page, String... more) {
        return Stream.concat(
                        Stream.of(
                                "csrf", page.hidden("csrf"),
                                "subject", "order.placed",
                                "content-type", "application/json",
                                "correlation-id", "",
                                "property:tenant", "blue",
                                "new-name", "",
                                "new-value", ""),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    @Test
    void a_second_save_and_a_save_after_somebody_elses_change_nothing() {
        RawHttp olga = console.as("olga");
        Answer form = olga.get("/dead-letter/edit?db=main&id=1");
        Answer preview = olga.post("/dead-letter/edit/preview?db=main&id=1", form(form, "body", "{\"order\":2}"));
        String[] save = form(preview, "body", "{\"order\":2}", "seen", preview.hidden("seen"), "reason", "x");

        assertThat(body(1)).as("a preview saves nothing").isEqualTo("{\"order\": 1}");
        assertThat(olga.post("/dead-letter/edit?db=main&id=1", save).header("Location"))
                .endsWith("done=letter-edited");
        assertThat(olga.post("/dead-letter/edit?db=main&id=1", save).header("Location"))
                .as("clicked twice")
                .endsWith("done=letter-changed");
        assertThat(olga.get("/dead-letter?db=main&id=1").body()).contains("{&quot;order&quot;:2}");
        assertThat(console.as("victor").get("/dead-letter?db=main&id=1").body())
                .as("a viewer sees no bodies")
                .contains("not shown")
                .doesNotContain("{&quot;order");
        assertThat(dsl.fetchCount(DSL.table(database.schema() + ".dead_letter_version")))
                .isEqualTo(1);
        dsl.execute("update " + database.schema() + ".dead_letter_state set state = 'discarded' where id = 1");
        assertThat(olga.get("/dead-letter/edit?db=main&id=1").status()).isEqualTo(409);
        assertThat(olga.post("/dead-letter/edit?db=main&id=1", save).header("Location"))
                .endsWith("done=letter-changed");
    }

    @Test
    void what_cannot_be_edited_is_refused_and_said() {
        RawHttp olga = console.as("olga");
        Answer form = olga.get("/dead-letter/edit?db=main&id=1");
        String[] invisible = form(form, "body", "{}");
        invisible[3] = "a\u0000b";
        String[] ours = form(form, "body", "{}");
        ours[11] = "waybill-claim";
        String[] twice = form(form, "body", "{}");
        twice[11] = "tenant";
        for (String[] wrong : List.of(invisible, ours, twice)) {
            assertThat(olga.post("/dead-letter/edit/preview?db=main&id=1", wrong)
                            .status())
                    .isEqualTo(400);
        }
        assertThat(olga.post("/dead-letter/edit/preview?db=main&id=1", form(form, "body", "x".repeat(70_000)))
                        .status())
                .isEqualTo(413);
        dsl.execute("update " + database.schema() + ".dead_letter_message set body_kind = 'text', payload = '\\xff'");
        assertThat(olga.get("/dead-letter/edit?db=main&id=1").body()).contains("locked: no text in UTF-8");
        dsl.execute("update " + database.schema() + ".dead_letter_message set emptied = 'redacted'");
        assertThat(olga.get("/dead-letter/edit?db=main&id=1").status()).isEqualTo(409);
        assertThat(olga.get("/dead-letter?db=main&id=1").body()).doesNotContain("/dead-letter/edit");
    }

    @Test
    void a_held_message_is_edited_once_and_its_hold_stays() {
        RawHttp olga = console.as("olga");
        String address = "/hold/edit?db=main&side=outbox&id=1&place=1";
        String list = olga.get("/hold?db=main&side=outbox&id=1").body();
        assertThat(list).contains("/hold/edit?");
        Answer page = olga.get(address);
        String[] form = {
            "csrf",
            page.hidden("csrf"),
            "subject",
            "",
            "content-type",
            "application/json",
            "correlation-id",
            "",
            "new-name",
            "",
            "new-value",
            "",
            "body",
            "{}"
        };
        Answer preview = olga.post(address.replace("edit?", "edit/preview?"), form);
        String[] save = Stream.concat(Stream.of(form), Stream.of("seen", preview.hidden("seen"), "reason", "small"))
                .toArray(String[]::new);
        assertThat(preview.body()).contains("is-new", "is-gone", "amount");
        assertThat(olga.post(address, save).header("Location")).endsWith("done=message-edited");
        assertThat(olga.post(address, save).header("Location")).endsWith("done=hold-changed");
        assertThat(dsl.fetchCount(DSL.table(database.schema() + ".operator_action")))
                .isEqualTo(1);
        assertThat(new String(
                        dsl.fetchSingle("select payload from " + database.schema()
                                        + ".outbox_held_message where message_id = 'debit-42'")
                                .get(0, byte[].class),
                        StandardCharsets.UTF_8))
                .isEqualTo("{}");
    }

    @Test
    void a_viewer_edits_nothing() {
        RawHttp victor = console.as("victor");

        assertThat(victor.get("/dead-letter?db=main&id=1").body()).doesNotContain("/dead-letter/edit");
        for (String path : List.of("/dead-letter/edit?db=main&id=1", "/hold/edit?db=main&side=outbox&id=1&place=1")) {
            assertThat(victor.get(path).status()).as(path).isEqualTo(403);
            assertThat(victor.post(path, "csrf", "x").status()).as(path).isEqualTo(403);
        }
    }
}
