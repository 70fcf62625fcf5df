package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.console.RawHttp.Answer;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hold is looked at, and let go or made shorter, on somebody's word. */
class ConsoleHeldTest extends ConsoleWithPeople {
    private String audit() {
        return dsl.fetch("select action, operator, reason from " + database.schema() + ".operator_action order by id")
                .formatCSV();
    }

    private int held() {
        return dsl.fetchCount(DSL.table(database.schema() + ".outbox_held_message"));
    }

    @Test
    @Tag("long")
    void a_message_is_skipped_and_the_session_released_with_reasons_that_stay() {
        browser.signIn(console, "olga");
        browser.follow("Held");
        assertThat(browser.text()).contains("wallet-7", "orders", "parked", "amqp:link:message-size-exceeded");
        browser.examine("held");
        browser.follow("wallet-7");
        assertThat(browser.text()).contains("The message is too large.", "debit-42", "debit-43", "debit-44");
        browser.examine("hold");

        browser.type("typed", "debit-43");
        browser.type("why-skip", "too large");
        browser.press("Skip");
        assertThat(browser.text()).contains("is not the id of the message");
        assertThat(held()).as("the first was chosen, and another one typed").isEqualTo(3);
        browser.back();
        browser.type("typed", "debit-42");
        browser.type("why-skip", "too large");
        browser.press("Skip");
        assertThat(browser.text()).contains("is removed", "too large");
        browser.type("why-release", "the rest is small");
        browser.press("Release");

        assertThat(browser.text()).contains("The hold is released", "retrying");
        assertThat(held()).isEqualTo(2);
        assertThat(audit()).contains("skip,olga,too large", "release,olga,the rest is small");
    }

    @Test
    void a_click_on_a_hold_that_has_changed_meanwhile_changes_nothing() {
        RawHttp olga = console.as("olga");
        Answer page = olga.get("/hold?db=main&side=outbox&id=1");
        String[] form = {
            "csrf", page.hidden("csrf"), "side", "outbox", "id", "1", "seen", page.hidden("seen"), "reason", "x"
        };

        assertThat(olga.post("/hold/release?db=main", form).header("Location")).endsWith("done=hold-released");
        assertThat(olga.post("/hold/release?db=main", form).header("Location"))
                .as("clicked twice")
                .endsWith("done=hold-changed");
        dsl.execute("delete from " + database.schema() + ".outbox_hold");
        assertThat(olga.post("/hold/retry?db=main", form).header("Location"))
                .startsWith("/held?")
                .endsWith("done=hold-changed");
        assertThat(audit().lines()).hasSize(2);
        assertThat(olga.get("/hold?db=main&side=outbox&id=1").status()).isEqualTo(404);
        assertThat(olga.get("/held?db=main&side=moon").status()).isEqualTo(400);
    }

    @Test
    void an_attempt_that_runs_is_not_disturbed() {
        dsl.execute("update " + database.schema() + ".outbox_hold set attempt_token = gen_random_uuid(),"
                + " attempt_until = clock_timestamp() + interval '1 hour', attempted_at = clock_timestamp()");
        RawHttp olga = console.as("olga");
        Answer page = olga.get("/hold?db=main&side=outbox&id=1");

        Answer refused = olga.post(
                "/hold/skip?db=main",
                "csrf",
                page.hidden("csrf"),
                "side",
                "outbox",
                "id",
                "1",
                "seen",
                page.hidden("seen"),
                "place",
                "1",
                "typed",
                "debit-42",
                "reason",
                "x");

        assertThat(page.body()).contains("being tried");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(held()).isEqualTo(3);
    }

    @Test
    void a_viewer_sees_holds_and_decides_nothing() {
        RawHttp victor = console.as("victor");
        Answer page = victor.get("/hold?db=main&side=outbox&id=1");

        assertThat(page.body()).contains("debit-44").doesNotContain("/hold/", "/body?", "große");
        assertThat(victor.post("/hold/release?db=main", "csrf", page.hidden("csrf"), "reason", "x")
                        .status())
                .isEqualTo(403);
        assertThat(audit().lines()).hasSize(1);
    }
}
