package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.console.RawHttp.Answer;
import java.util.stream.Stream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many parked holds are decided about at once: those that were shown, as they were. */
class ConsoleManyHeldTest extends ConsoleWithPeople {
    @BeforeEach
    void prepare() {
        hold("parked", 1, 3);
        hold("retrying", 4, 4);
    }

    private void hold(String state, int from, int to) {
        dsl.execute("""
                with h as (
                  insert into %1$s.outbox_hold (destination, session_id, state, reason)
                  select 'invoices', 'invoice-' || n, {0}, 'no such tax' from generate_series({1}, {2}) n
                  returning id, session_id)
                insert into %1$s.outbox_held_message (hold_id, message_id, session_id, payload, origin_position, origin_time)
                select id, session_id || '-' || n, session_id, '', n, clock_timestamp() from h, generate_series(1, 2) n
                """.formatted(database.schema()), DSL.val(state), DSL.val(from), DSL.val(to));
    }

    private String states() {
        return String.join(
                " ",
                dsl.fetch("select state from " + database.schema()
                                + ".outbox_hold where destination = 'invoices' order by id")
                        .getValues(0, String.class));
    }

    private int held() {
        return dsl.fetchCount(
                DSL.table(database.schema() + ".outbox_held_message"), DSL.condition("message_id like 'invoice-%'"));
    }

    private static String[] form(Answer page, String... more) {
        return Stream.concat(
                        Stream.of("csrf", "count", "messages", "last", "at")
                                .flatMap(name -> Stream.of(name, page.hidden(name))),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    @Test
    @Tag("long")
    void a_group_is_looked_at_and_released() {
        browser.signIn(console, "olga");
        browser.follow("Held");
        assertThat(browser.text()).contains("By reason", "no such tax");
        browser.followFirst("a[href*='no+such+tax']");
        assertThat(browser.text()).contains("Only of invoices with the reason no such tax");
        assertThat(browser.text()).doesNotContain("wallet-7");
        browser.press("Look at all that fit");
        assertThat(browser.text())
                .contains("Release: 3 parked holds", "invoice-1")
                .doesNotContain("invoice-4");
        browser.examine("held-many");
        browser.type("why", "the tax is there");
        browser.press("Release");

        assertThat(browser.text()).contains("Release: done to 3 of 3 holds.");
        assertThat(states()).isEqualTo("retrying retrying retrying retrying");
        assertThat(held()).isEqualTo(8);
    }

    @Test
    void ticked_holds_lose_what_was_shown_and_a_second_click_or_another_attempt_nothing_more() {
        RawHttp olga = console.as("olga");
        Answer list = olga.get("/held?db=main&side=outbox&scope=invoices");
        Answer chosen = olga.post(
                "/held/choose?db=main&side=outbox&scope=invoices",
                "csrf",
                list.hidden("csrf"),
                "deed",
                "skip-first",
                "which",
                "ticked",
                "id",
                "2",
                "id",
                "3",
                "id",
                "5");
        String address = chosen.header("Location");
        Answer page = olga.get(address);
        assertThat(page.body()).contains("Skip the first of each: 2 parked holds", "1 of the ticked ones");
        assertThat(olga.post(address, form(page, "typed", "4", "reason", "x")).status())
                .isEqualTo(400);

        assertThat(olga.post(address, form(page, "typed", "2", "reason", "x")).header("Location"))
                .endsWith("changed=2&of=2");
        assertThat(held()).isEqualTo(6);
        dsl.execute(
                "update " + database.schema()
                        + ".outbox_hold set state = 'parked', attempted_at = clock_timestamp(), changed_at = clock_timestamp()");
        assertThat(olga.post(address, form(page, "typed", "2", "reason", "x")).header("Location"))
                .as("sent twice, and parked again in between")
                .endsWith("changed=0&of=2");
        assertThat(held()).isEqualTo(6);
    }

    @Test
    void messages_that_join_after_the_page_are_not_taken_out() {
        RawHttp olga = console.as("olga");
        String address = "/held/many?db=main&side=outbox&scope=invoices&deed=skip-all";
        Answer page = olga.get(address);
        dsl.execute("insert into " + database.schema() + ".outbox_held_message"
                + " (hold_id, message_id, session_id, payload, origin_position, origin_time)"
                + " values (2, 'invoice-late', 'invoice-1', '', 9, clock_timestamp())");

        assertThat(olga.post(address, form(page, "typed", "6", "reason", "x")).header("Location"))
                .endsWith("changed=0&of=3");
        assertThat(held()).isEqualTo(9);
        page = olga.get(address);
        assertThat(olga.post(address, form(page, "typed", "7", "reason", "x")).header("Location"))
                .endsWith("changed=3&of=3");
        assertThat(states()).isEqualTo("retrying");
    }

    @Test
    void a_hold_that_is_being_tried_is_left_alone_and_retries_go_on_counting() {
        dsl.execute("update " + database.schema() + ".outbox_hold set attempts = 4");
        dsl.execute("update " + database.schema() + ".outbox_hold set attempt_token = gen_random_uuid(),"
                + " attempt_until = clock_timestamp() + interval '1 hour' where id = 2");
        RawHttp olga = console.as("olga");
        String address = "/held/many?db=main&side=outbox&scope=invoices&deed=retry";
        Answer page = olga.get(address);

        assertThat(page.body()).contains("Being tried, left alone");
        assertThat(olga.post(address, form(page, "reason", "x")).header("Location"))
                .endsWith("changed=2&of=3");
        assertThat(states()).isEqualTo("parked retrying retrying retrying");
        assertThat(dsl.fetchCount(DSL.table(database.schema() + ".outbox_hold"), DSL.condition("attempts = 4")))
                .isEqualTo(5);
    }

    @Test
    void a_viewer_decides_nothing_and_nonsense_is_refused() {
        RawHttp victor = console.as("victor");
        assertThat(victor.get("/held?db=main").body()).doesNotContain("checkbox", "/held/choose");
        assertThat(victor.get("/held/many?db=main&deed=release").status()).isEqualTo(403);
        assertThat(victor.post("/held/many?db=main&deed=release", "csrf", "x").status())
                .isEqualTo(403);

        RawHttp olga = console.as("olga");
        assertThat(olga.get("/held/many?db=main&deed=burn").status()).isEqualTo(400);
        assertThat(olga.get("/held/many?db=main&deed=release&ids=1.x").status()).isEqualTo(400);
        assertThat(olga.get("/held/many?db=main&deed=release&side=inbox").body())
                .contains("No parked hold fits")
                .doesNotContain("name=\"at\"");
    }
}
