package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages are found by each of their names, and bodies are shown to those who may see them. */
class ConsoleMessagesTest extends ConsoleWithPeople {
    @Override
    String[] options() {
        return new String[] {"console.body-limit", "4KiB"};
    }

    @Test
    @Tag("long")
    void a_journey_is_found_by_message_and_by_session_and_leads_to_the_body() {
        browser.signIn(console, "olga");
        browser.follow("Messages");
        browser.examine("messages-empty");
        browser.type("text", "debit-42");
        browser.press("Show the journey");
        assertThat(browser.text())
                .contains("held", "amqp:link:message-size-exceeded", "an operator")
                .doesNotContain("große");
        browser.examine("journey");

        browser.follow("wallet-7");
        assertThat(browser.text()).contains("debit-42", "debit-43", "debit-44");
        browser.follow("debit-43");
        browser.followFirst("a[href^='/body']");

        assertThat(browser.text()).contains("Body of held message debit-43 of orders", "\"note\" : \"<b>große</b>\"");
        assertThat(browser.find("pre").getText()).contains("{\n  \"amount\" : 25,\n");
        browser.examine("body-json");
        browser.follow("bytes");
        assertThat(browser.text()).contains("00000000  7b 22 61 6d");
        browser.follow("text");
        assertThat(browser.text()).contains("{\"amount\": 25,");
    }

    @Test
    @Tag("long")
    void a_name_of_another_kind_is_pointed_to() {
        RawHttp victor = console.as("victor");

        String answer = victor.get("/messages?db=main&by=message&text=wallet-7").body();

        assertThat(answer).contains("Nothing is known of it", "by=session&amp;text=wallet-7");
        assertThat(victor.get("/messages?db=main&by=shoe&text=x").status()).isEqualTo(400);
        assertThat(victor.get("/messages?db=main&text=" + "x".repeat(1_001)).status())
                .isEqualTo(400);
    }

    @Test
    void a_viewer_sees_the_journey_and_no_body() {
        RawHttp victor = console.as("victor");

        assertThat(victor.get("/messages?db=main&by=message&text=debit-42").body())
                .contains("an operator")
                .doesNotContain("/body?", "große", "amount");
        assertThat(victor.get("/body?db=main&scope=orders&message=debit-42&session=wallet-7")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_body_is_cut_and_what_would_turn_its_reading_order_is_written_as_an_escape() {
        dsl.execute("update " + database.schema() + ".dead_letter_message set payload ="
                + " convert_to(U&'gro\\00DF\\202Eevil' || repeat('x', 100000), 'UTF8'), content_type = 'text/plain'");
        RawHttp olga = console.as("olga");

        String text = olga.get("/body?db=main&letter=1").body();

        assertThat(text)
                .contains("groß\\u{202e}evilxxx", "the first 4096 of them")
                .doesNotContain("\u202e");
        assertThat(text.length()).isLessThan(10_000);
        assertThat(olga.get("/body?db=main&letter=99").status()).isEqualTo(404);
        assertThat(olga.get("/body?db=main&letter=x").status()).isEqualTo(400);
    }

    @Test
    void nested_json_does_not_become_longer_than_a_page() {
        dsl.execute("update " + database.schema() + ".dead_letter_message set payload ="
                + " convert_to(repeat('[', 900) || rtrim(repeat('1,', 1000), ',') || repeat(']', 900), 'UTF8')");

        String page = console.as("olga").get("/body?db=main&letter=1").body();

        assertThat(page.length()).isLessThan(5_000_000);
    }
}
