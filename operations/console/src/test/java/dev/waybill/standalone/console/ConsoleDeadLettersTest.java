package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.console.RawHttp.Answer;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dead letters are found, looked at, re-driven, discarded and opened again, each once. */
class ConsoleDeadLettersTest extends ConsoleWithPeople {
    private String state(long id) {
        return dsl.fetchSingle(
                        "select state from " + database.schema() + ".dead_letter_state where id = {0}", DSL.val(id))
                .get(0, String.class);
    }

    @Test
    @Tag("long")
    void a_letter_is_discarded_opened_again_and_redriven_with_reasons_that_stay() {
        ExampleOutbox.holdAndKill(dsl, database.schema(), "other");
        browser.signIn(console, "olga");
        browser.follow("Dead letters");
        assertThat(browser.text()).contains("MaxDeliveryCountExceeded", "In the order of arrival", "orders-3");
        browser.examine("dead-letters");
        browser.follow("1");
        assertThat(browser.text()).contains("no such wallet", "order.placed", "A copy goes to orders");
        browser.examine("dead-letter");

        browser.type("why-discard", "test data");
        browser.press("Discard");
        assertThat(browser.text()).contains("The dead letter is discarded.", "test data");
        browser.type("why-reopen", "it was none");
        browser.press("Open again");
        browser.type("why-redrive", "wallet is there now");
        browser.press("Re-drive");

        assertThat(browser.text()).contains("A copy is in the outbox", "redriven", "wallet is there now");
        assertThat(state(1)).isEqualTo("redriven");
        assertThat(dsl.fetchCount(
                        DSL.table(database.schema() + ".outbox_message"), DSL.condition("message_id = 'orders-1'")))
                .as("the first one and its copy")
                .isEqualTo(2);
        assertThat(dsl.fetch("select action, operator from " + database.schema() + ".operator_action order by id")
                        .formatCSV())
                .contains("discard,olga", "reopen,olga", "redrive,olga");
    }

    @Test
    void a_click_on_what_has_changed_meanwhile_changes_nothing() {
        RawHttp olga = console.as("olga");
        Answer page = olga.get("/dead-letter?db=main&id=1");
        String[] form = {"csrf", page.hidden("csrf"), "id", "1", "seen", page.hidden("seen"), "reason", "x"};

        assertThat(olga.post("/dead-letter/redrive?db=main", form).header("Location"))
                .endsWith("done=letter-redriven");
        assertThat(olga.post("/dead-letter/redrive?db=main", form).header("Location"))
                .as("clicked twice")
                .endsWith("done=letter-changed");
        assertThat(olga.post("/dead-letter/discard?db=main", form).header("Location"))
                .endsWith("done=letter-changed");
        assertThat(state(1)).isEqualTo("redriven");
        assertThat(dsl.fetchCount(DSL.table(database.schema() + ".operator_action")))
                .isEqualTo(1);
    }

    @Test
    void a_viewer_sees_letters_and_decides_nothing() {
        RawHttp victor = console.as("victor");
        Answer page = victor.get("/dead-letter?db=main&id=1");

        assertThat(page.body()).contains("no such wallet").doesNotContain("/dead-letter/discard", "/body?");
        assertThat(victor.post(
                                "/dead-letter/discard?db=main",
                                "csrf",
                                page.hidden("csrf"),
                                "id",
                                "1",
                                "seen",
                                "",
                                "reason",
                                "x")
                        .status())
                .isEqualTo(403);
        assertThat(state(1)).isEqualTo("open");
    }

    @Test
    void a_long_list_comes_in_pages_that_keep_the_filter_and_is_counted_up_to_a_limit() {
        dsl.execute("""
                with m as (
                  insert into %1$s.dead_letter_message (key, entity, sequence_number, enqueued_at, message_id, payload, reason)
                  select gen_random_uuid(), 'many', n, clock_timestamp(), 'm' || n, '', 'Expired' from generate_series(1, 2000) n
                  returning id)
                insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
                """.formatted(database.schema()));
        RawHttp victor = console.as("victor");

        Answer first = victor.get("/dead-letters?db=main&entity=many");
        assertThat(first.body()).contains("1,000 or more", "m50<");
        assertThat(first.body()).doesNotContain("m51<", "orders-1<");
        String next = first.body()
                .split("rel=\"next\" href=\"", 2)[1]
                .split("\"", 2)[0]
                .replace("&amp;", "&");
        Answer second = victor.get(next);
        assertThat(second.body()).contains("m51<", "m100<", "First page").doesNotContain("m50<", "orders-1<");
        assertThat(victor.get("/dead-letters?db=main&state=shut").status()).isEqualTo(400);
        assertThat(victor.get("/dead-letters?db=main&after=x").status()).isEqualTo(400);
    }
}
