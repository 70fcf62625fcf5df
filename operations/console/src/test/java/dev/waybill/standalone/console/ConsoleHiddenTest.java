package dev.waybill.standalone.console;

import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Holds;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fields that console.redact names are in no answer, whoever asks and whoever has changed them. */
@Timeout(90)
class ConsoleHiddenTest extends ConsoleWithToken {
    private void hide() {
        dsl.execute("update %s.dead_letter_message set subject = 'topsecret1', description = 'topsecret2'"
                .formatted(schema));
        dsl.execute("update %s.outbox_held_message set subject = 'topsecret3'".formatted(schema));
        dsl.execute("update %s.outbox_hold set description = 'topsecret4'".formatted(schema));
        dsl.execute("update %s.outbox_scheduled set subject = 'topsecret5'".formatted(schema));
        dsl.execute("update %s.outbox_message set subject = 'topsecret6'".formatted(schema));
    }

    @Test
    void the_api_shows_nothing_that_is_hidden() {
        hide();
        var soft = new SoftAssertions();
        for (String path : List.of(
                "/dead-letters",
                "/dead-letters/1",
                "/holds",
                "/holds/1",
                "/messages?text=orders-1",
                "/messages?text=debit-42",
                "/messages?by=session&text=s1",
                "/audit",
                "/status",
                "/dead-letters/1/body",
                "/holds/1/messages/1/body",
                "/scheduled",
                "/scheduled/1",
                "/dead-letters/many?deed=discard",
                "/holds/many?deed=release",
                "/dead-letters/groups")) {
            Answer answer = program().get(MAIN + path);
            soft.assertThat(answer.status()).as(path).isEqualTo(200);
            soft.assertThat(answer.body()).as(path).doesNotContain("topsecret");
        }
        String tag = program().get(MAIN + "/dead-letters/1").header("ETag");
        soft.assertThat(post("/dead-letters/1/discard", tag, "{\"reason\":\"x\"}")
                        .body())
                .as("discard")
                .doesNotContain("topsecret");
        tag = program().get(MAIN + "/holds/1").header("ETag");
        soft.assertThat(post("/holds/1/retry", tag, "{\"reason\":\"x\"}").body())
                .as("retry")
                .doesNotContain("topsecret");
        soft.assertAll();
    }

    @Test
    void pages_of_scheduled_messages_show_nothing_that_is_hidden() {
        hide();
        var soft = new SoftAssertions();
        RawHttp olga = console.as("olga");
        for (String path : List.of(
                "/scheduled?db=main",
                "/scheduled-message?db=main&id=1",
                "/messages?db=main&by=message&text=later-1",
                "/messages?db=main&by=session&text=s1",
                "/held/many?db=main&deed=release",
                "/dead-letters/many?db=main&deed=redrive",
                "/audit?db=main",
                "/")) {
            Answer answer = olga.get(path);
            soft.assertThat(answer.status()).as(path).isEqualTo(200);
            soft.assertThat(answer.body()).as(path).doesNotContain("topsecret");
        }
        soft.assertAll();
    }

    @Test
    @Tag("long")
    void what_is_hidden_is_in_no_journey_of_an_edit_elsewhere(TestDatabase database) {
        var holds = Holds.ofOutbox(database.dataSource(), new SchemaName(schema));
        dsl.execute(
                "update %s.outbox_held_message set subject = 'topsecret3', headers = '{\"ssn\":\"topsecret7\"}', payload = convert_to('{\"customer\":{\"email\":\"topsecret8\"}}', 'UTF8')"
                        .formatted(schema));
        var hold = holds.show(1).orElseThrow();
        long first = holds.messages(hold.key(), 0, 1).get(0).place();
        holds.edit(
                hold.key(),
                first,
                old -> old.toBuilder()
                        .subject("topsecret4")
                        .body("{\"customer\":{\"email\":\"topsecret6\"}}".getBytes(StandardCharsets.UTF_8))
                        .build()
                        .withProperties(Map.of("ssn", "topsecret5")),
                new AuditContext("me", "r"));
        var soft = new SoftAssertions();
        for (String who : List.of("olga", "victor")) {
            for (String path : List.of(
                    "/messages?db=main&by=message&text=debit-42", "/hold?db=main&side=outbox&id=1", "/audit?db=main")) {
                Answer page = console.as(who).get(path);
                soft.assertThat(page.status()).isEqualTo(200);
                soft.assertThat(page.body()).as(who + path).doesNotContain("topsecret");
            }
        }
        soft.assertThat(console.as("victor")
                        .get("/messages?db=main&by=message&text=debit-42")
                        .body())
                .contains("edited");
        soft.assertThat(program().get(MAIN + "/messages?text=debit-42").body()).doesNotContain("topsecret");
        soft.assertThat(program().get(MAIN + "/holds/1").body()).doesNotContain("topsecret");
        soft.assertAll();
    }
}
