package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.standalone.console.RawHttp.Answer;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many dead letters are decided about at once: those that were shown, and each once. */
class ConsoleManyLettersTest extends ConsoleWithPeople {
    private String states() {
        return String.join(
                " ",
                dsl.fetch("select state from " + database.schema() + ".dead_letter_state order by id")
                        .getValues(0, String.class));
    }

    private int copies() {
        return dsl.fetchCount(
                        DSL.table(database.schema() + ".outbox_message"), DSL.condition("message_id like 'orders-%'"))
                - 40;
    }

    private int runs() {
        return dsl.fetchCount(DSL.table(database.schema() + ".dead_letter_redrive"));
    }

    private static String[] form(Answer page, String... more) {
        return Stream.concat(
                        Stream.of("csrf", "count", "last", "at").flatMap(name -> Stream.of(name, page.hidden(name))),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    @Test
    @Tag("long")
    void ticked_letters_are_shown_before_they_are_discarded_and_the_others_stay() {
        browser.signIn(console, "olga");
        browser.follow("Dead letters");
        browser.all("input[name=id]").get(0).click();
        browser.all("input[name=id]").get(2).click();
        browser.find("#deed option[value=discard]").click();
        browser.press("Look at the ticked");
        assertThat(browser.text()).contains("Discard: 2 open dead letters", "orders-1", "orders-3");
        assertThat(browser.text()).doesNotContain("orders-2");

        browser.type("typed", "3");
        browser.type("why", "test data");
        browser.press("Discard");
        assertThat(browser.text()).contains("Nothing was changed", "is not the number of dead letters");
        browser.back();
        browser.type("typed", "2");
        browser.type("why", "test data");
        browser.press("Discard");

        assertThat(browser.text()).contains("Discard: done to 2 of 2 dead letters.");
        assertThat(states()).isEqualTo("discarded open discarded");
    }

    // The page refreshes itself where there is JavaScript; elsewhere somebody loads it again.
    private void awaitTaken(String text) {
        browser.await(() -> {
            if (!browser.isReal()) {
                browser.to(browser.address());
            }
            return browser.text().contains(text);
        });
    }

    @Test
    @Tag("long")
    void a_redrive_pauses_for_its_canary_and_goes_on_when_somebody_says_so() {
        browser.signIn(console, "olga");
        browser.to(console.address() + "/dead-letters/many?db=main&deed=redrive&entity=orders");
        browser.type("canary", "1");
        browser.press("Look again");
        assertThat(browser.text()).contains("What would happen", "Pauses after");
        browser.examine("dead-letters-many");
        browser.type("why", "the wallet is there");
        browser.press("Re-drive");

        awaitTaken("1 of 3");
        browser.follow("Re-drives");
        assertThat(browser.text()).contains("paused", "olga", "the wallet is there");
        browser.follow("1");
        browser.examine("redrive");
        browser.type("why", "it was handled");
        browser.press("Resume");
        awaitTaken("3 of 3");

        assertThat(browser.text()).contains("done");
        assertThat(states()).isEqualTo("redriven redriven redriven");
        assertThat(copies()).isEqualTo(3);
    }

    @Test
    void a_form_that_is_sent_twice_begins_one_redrive_and_does_not_go_round_its_canary() throws InterruptedException {
        RawHttp olga = console.as("olga");
        String address = "/dead-letters/many?db=main&deed=redrive&entity=orders&canary=1";
        String[] form = form(olga.get(address), "reason", "x");
        var clicks = Stream.of(1, 2)
                .map(each -> new Thread(() -> olga.post(address, form)))
                .toList();
        clicks.forEach(Thread::start);
        for (Thread click : clicks) {
            click.join();
        }

        await().until(() -> dsl.fetchExists(
                DSL.table(database.schema() + ".dead_letter_redrive"), DSL.condition("state = 'paused'")));
        assertThat(olga.post(address, form).header("Location")).endsWith("done=redrive-twice");
        assertThat(runs()).isEqualTo(1);
        assertThat(copies()).as("the canary").isEqualTo(1);
    }

    @Test
    @Tag("long")
    void a_word_to_a_run_that_has_changed_meanwhile_changes_nothing() {
        RawHttp olga = console.as("olga");
        String address = "/dead-letters/many?db=main&deed=redrive&entity=orders&canary=1";
        olga.post(address, form(olga.get(address), "reason", "x"));
        await().until(() -> olga.get("/redrive?db=main&id=1").body().contains("paused"));
        Answer page = olga.get("/redrive?db=main&id=1");
        String[] form = {"csrf", page.hidden("csrf"), "id", "1", "seen", page.hidden("seen"), "reason", "x"};

        assertThat(olga.post("/redrive/pause?db=main", form).header("Location")).endsWith("done=redrive-changed");
        assertThat(olga.post("/redrive/abandon?db=main", form).header("Location"))
                .endsWith("done=redrive-abandoned");
        assertThat(olga.post("/redrive/resume?db=main", form).header("Location"))
                .endsWith("done=redrive-changed");
        assertThat(states().split(" ")).containsOnlyOnce("redriven");
        assertThat(olga.get("/redrive?db=main&id=9").status()).isEqualTo(404);
    }

    @Test
    void letters_that_came_or_changed_after_the_page_are_left_alone() {
        RawHttp olga = console.as("olga");
        String address = "/dead-letters/many?db=main&deed=discard";
        String[] form = form(olga.get(address), "reason", "x", "typed", "3");
        ExampleOutbox.holdAndKill(dsl, database.schema(), "late");
        dsl.execute(
                "update " + database.schema() + ".dead_letter_state set changed_at = clock_timestamp() where id = 2");

        assertThat(olga.post(address, form).header("Location")).endsWith("changed=2&of=3");
        assertThat(states()).isEqualTo("discarded open discarded open");
        assertThat(olga.post(address, form).header("Location")).as("sent twice").endsWith("changed=0&of=3");
        assertThat(olga.get(olga.post(address, form).header("Location")).body()).contains("nothing was changed");
    }

    @Test
    void letters_go_through_every_state_and_come_out_as_a_file() {
        RawHttp olga = console.as("olga");

        assertThat(done(olga, "open", "archive")).endsWith("changed=3&of=3");
        assertThat(done(olga, "archived", "restore")).endsWith("changed=3&of=3");
        assertThat(done(olga, "open", "discard")).endsWith("changed=3&of=3");
        assertThat(done(olga, "discarded", "reopen")).endsWith("changed=3&of=3");
        String export = "/dead-letters/export?db=main&deed=export&state=open";
        Answer file = olga.post(export, form(olga.get("/dead-letters/many?db=main&deed=export&state=open")));
        assertThat(file.header("Content-Disposition")).contains("dead-letters.ndjson");
        assertThat(file.body().lines()).hasSize(3);
        assertThat(console.logged()).isNotEmpty();
        assertThat(done(olga, "open", "redact")).endsWith("changed=3&of=3");
        assertThat(dsl.fetch("select emptied from " + database.schema() + ".dead_letter_message")
                        .getValues(0, String.class))
                .containsOnly("redacted");
        Answer refused = olga.get("/dead-letters/many?db=main&deed=redrive&state=open");
        assertThat(refused.body())
                .contains("Nothing would be begun", "dead letter 1")
                .doesNotContain("name=\"at\"");
    }

    private static String done(RawHttp olga, String state, String deed) {
        String address = "/dead-letters/many?db=main&deed=" + deed + "&state=" + state;
        return olga.post(address, form(olga.get(address), "reason", "x", "typed", "3"))
                .header("Location");
    }

    @Test
    void more_than_a_person_can_look_at_are_done_in_parts() {
        dsl.execute("""
                with m as (
                  insert into %1$s.dead_letter_message (key, entity, sequence_number, enqueued_at, message_id, payload, reason)
                  select gen_random_uuid(), 'many', n, clock_timestamp(), 'm' || n, '', 'Expired' from generate_series(1, 1200) n
                  returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
                """.formatted(database.schema()));
        RawHttp olga = console.as("olga");
        String address = "/dead-letters/many?db=main&deed=archive&entity=many";
        Answer page = olga.get(address);

        assertThat(page.body()).contains("the first 1,000 are meant");
        assertThat(olga.post(address, form(page, "reason", "x")).header("Location"))
                .endsWith("changed=1000&of=1000");
        assertThat(olga.post(address, form(page, "reason", "x")).header("Location"))
                .endsWith("changed=0&of=1000");
        assertThat(olga.get(address).body()).contains("Archive: 200 open");
    }

    @Test
    void a_viewer_ticks_nothing_and_sees_runs() {
        RawHttp victor = console.as("victor");

        assertThat(victor.get("/dead-letters?db=main").body()).doesNotContain("checkbox", "/dead-letters/choose");
        for (String path : List.of("choose", "many", "export")) {
            assertThat(victor.post("/dead-letters/" + path + "?db=main&deed=discard", "csrf", "x")
                            .status())
                    .isEqualTo(403);
        }
        assertThat(victor.get("/dead-letters/many?db=main&deed=discard").status())
                .isEqualTo(403);
        assertThat(victor.get("/redrives?db=main").status()).isEqualTo(200);
        assertThat(victor.post("/redrive/resume?db=main", "csrf", "x").status()).isEqualTo(403);
    }

    @Test
    void what_cannot_be_meant_is_refused_with_the_reason() {
        RawHttp olga = console.as("olga");

        for (String query : List.of(
                "deed=shred",
                "deed=restore&state=open",
                "deed=redrive&canary=0",
                "deed=redrive&way=entity",
                "deed=redact&fields=message-id",
                "deed=discard&ids=1..2",
                "deed=discard&ids=x")) {
            assertThat(olga.get("/dead-letters/many?db=main&" + query).status())
                    .as(query)
                    .isEqualTo(400);
        }
        assertThat(olga.get("/dead-letters/many?db=main&deed=redrive&way=entity&target=nowhere")
                        .body())
                .contains("no relay has ever served the destination")
                .doesNotContain("name=\"at\"");
    }
}
