package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.awaitility.Awaitility;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** Deeds of programs to many things, to scheduled messages and to replays; each answer is as described. */
class ConsoleApiActionsTest extends DescribedApi {
    private static final String LETTERS = MAIN + "/dead-letters/many?state=open&deed=";

    private String counted(Answer dryRun) {
        assertThat(dryRun.status()).as(dryRun.body()).isEqualTo(200);
        return "{\"reason\":\"as counted\",\"token\":\"" + field(dryRun, "/token") + "\"}";
    }

    private Answer lines(String query, String lines) {
        String path = MAIN + "/dead-letters/import" + query;
        return checked(
                "post",
                path,
                as(operator).with("Content-Type", "application/x-ndjson").postText(path, lines));
    }

    private static String line(String id, int number) {
        return "{\"entity\":\"orders\",\"sequenceNumber\":" + number
                + ",\"enqueuedAt\":\"2026-01-01T00:00:00Z\",\"id\":\"" + id + "\",\"body\":\"eA==\"}\n";
    }

    @Test
    void what_a_dry_run_has_counted_is_changed_once_and_nothing_that_came_later() {
        Answer dryRun = get(LETTERS + "discard");
        assertThat(dryRun.body()).contains("\"count\":3", "\"plan\":null", "MaxDeliveryCountExceeded");
        String order = counted(dryRun);
        lines("?reason=later", line("later", 90));

        assertThat(post(LETTERS + "redrive", "", order).status())
                .as("the token of another deed")
                .isEqualTo(412);
        assertThat(post(LETTERS + "discard&entity=orders", "", order).status())
                .as("the token of another filter")
                .isEqualTo(412);
        assertThat(post(LETTERS + "discard", "", "{\"reason\":\"x\",\"token\":\"made up\"}")
                        .status())
                .isEqualTo(400);
        assertThat(post(LETTERS + "discard", "", order).body()).contains("\"changed\":3");
        assertThat(post(LETTERS + "discard", "", order).body()).as("sent twice").contains("\"changed\":0");
        assertThat(rows("select count(*) from %s.dead_letter_state where state = 'open'"))
                .isEqualTo("1\n");
    }

    @Test
    void a_token_with_a_time_beyond_the_calendar_is_none() {
        for (String path : List.of(LETTERS + "discard", MAIN + "/holds/many?deed=release")) {
            String[] parts = new String(
                            Base64.getUrlDecoder().decode(field(get(path), "/token")), StandardCharsets.UTF_8)
                    .split("~", 5);
            parts[3] = "+1000000000-12-31T23:59:59Z";
            String made = Base64.getUrlEncoder()
                    .encodeToString(String.join("~", parts).getBytes(StandardCharsets.UTF_8));
            assertThat(post(path, "", "{\"reason\":\"x\",\"token\":\"" + made + "\"}")
                            .status())
                    .isEqualTo(400);
        }
        assertThat(console.logged()).noneMatch(line -> line.contains("sign-in failed"));
    }

    @Test
    void the_token_of_another_database_changes_nothing(TestDatabase database) throws IOException {
        String everywhere = token("both", "operator", FAR);
        // The one that is dropped with the test's own.
        String second = schema + "_app";
        dsl.execute(Migrations.sql(new SchemaName(second), Feature.all()));
        ExampleOutbox.fill(dsl, second);
        console = RunningConsole.withPeople(
                database,
                directory,
                "console.tokens-file",
                tokens.toString(),
                "console.session-database",
                "main",
                "database.second.url",
                database.server().jdbcUrl(),
                "database.second.schema",
                second);
        for (String path : List.of("/dead-letters/many?deed=discard", "/holds/many?deed=skip-all")) {
            String order = counted(get(MAIN + path));
            RawHttp both = as(everywhere).with("Content-Type", "application/json");
            assertThat(both.postText(MAIN.replace("main", "second") + path, order)
                            .status())
                    .as(path)
                    .isEqualTo(412);
        }
        assertThat(dsl.fetchCount(DSL.table(second + ".dead_letter_state"), DSL.condition("state = 'open'")))
                .isEqualTo(3);
        assertThat(dsl.fetchCount(DSL.table(second + ".outbox_held_message"))).isEqualTo(3);
    }

    @Test
    void a_redrive_of_many_is_planned_begun_once_and_taken_on() {
        Answer dryRun = get(LETTERS + "redrive&rate=1000");
        assertThat(dryRun.body()).contains("\"messages\":3", "\"destinations\":{\"orders\":3}", "\"obstacles\":[]");
        String order = counted(dryRun);
        Answer begun = post(LETTERS + "redrive&rate=1000", "", order);
        Answer again = post(LETTERS + "redrive&rate=1000", "", order);

        assertThat(field(begun, "/redrive")).isEqualTo("1");
        assertThat(again.body()).isEqualTo("{\"changed\":0,\"redrive\":null}");
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(rows("select count(*) from %s.dead_letter_state where state = 'redriven'"))
                                .isEqualTo("3\n"));
        assertThat(rows("select count(*) from %s.dead_letter_redrive")).isEqualTo("1\n");
        assertThat(get(LETTERS + "export").status()).isEqualTo(400);
        assertThat(get(LETTERS + "expire").status()).as("not from this state").isEqualTo(400);
    }

    @Test
    void many_holds_are_counted_and_changed_as_they_were_seen() {
        String skip = MAIN + "/holds/many?deed=skip-all&scope=orders";
        String release = MAIN + "/holds/many?deed=release";
        String seen = counted(get(skip));
        dsl.execute("insert into " + schema + ".outbox_held_message (hold_id, message_id, session_id, payload,"
                + " origin_position, origin_time) values (1, 'debit-45', 'wallet-7', '', 45, clock_timestamp())");
        assertThat(post(skip, "", seen).body())
                .as("a message has joined the hold since")
                .contains("\"changed\":0");
        Answer now = get(release);
        assertThat(now.body()).contains("\"count\":1", "\"messages\":4", "amqp:link:message-size-exceeded");
        assertThat(post(release, "", counted(now)).body()).contains("\"changed\":1");
        assertThat(post(release, "", counted(now)).body()).contains("\"changed\":0");
        assertThat(rows("select action, operator from %s.operator_action")).isEqualTo("release,token:ci\n");
        assertThat(as(viewer).get(release).status()).isEqualTo(403);
    }

    @Test
    void a_scheduled_message_is_cancelled_by_its_id_and_state() {
        assertThat(get(MAIN + "/scheduled?most=2").body()).contains("later-1", "later-2", "~2");
        String behind = field(get(MAIN + "/scheduled?most=2"), "/behind");
        assertThat(get(MAIN + "/scheduled?behind=" + RawHttp.encoded(behind)).body())
                .contains("later-3")
                .doesNotContain("later-2");
        String tag = get(MAIN + "/scheduled/2").header("ETag");
        String cancel = MAIN + "/scheduled/2/cancel";

        assertThat(post(cancel, tag, "{\"reason\":\"x\",\"message\":\"later-1\"}")
                        .status())
                .isEqualTo(400);
        assertThat(post(cancel, "\"old\"", "{\"reason\":\"x\",\"message\":\"later-2\"}")
                        .status())
                .isEqualTo(412);
        assertThat(post(cancel, tag, "{\"reason\":\"x\",\"message\":\"later-2\"}")
                        .body())
                .contains("true");
        assertThat(post(cancel, tag, "{\"reason\":\"x\",\"message\":\"later-2\"}")
                        .status())
                .as("sent twice")
                .isEqualTo(412);
        assertThat(get(MAIN + "/scheduled/2").status()).isEqualTo(404);
        assertThat(rows("select subject, operator from %s.operator_action")).isEqualTo("later-2,token:ci\n");
    }

    @Test
    void a_replay_is_planned_begun_once_and_ended() {
        Answer plan = get(MAIN + "/replays/plan?destination=orders&session=s1");
        String order = "{\"reason\":\"lost\",\"destination\":\"orders\",\"session\":\"s1\",\"until\":\""
                + field(plan, "/until") + "\",\"messages\":" + field(plan, "/messages") + "}";
        Answer begun = post(MAIN + "/replays", "", order);
        assertThat(begun.status()).as(begun.body()).isEqualTo(200);
        assertThat(post(MAIN + "/replays", "", order).status()).as("sent twice").isEqualTo(412);

        String run = MAIN + "/replays/" + field(begun, "/run");
        assertThat(get(MAIN + "/replays").body()).contains("lost (token:ci)", "\"more\":0");
        post(run + "/resume", "", "{\"reason\":\"on\"}");
        post(run + "/abandon", "", "{\"reason\":\"enough\"}");
        assertThat(post(run + "/abandon", "", "{\"reason\":\"enough\"}").body()).contains("\"changed\":false");
        assertThat(post(MAIN + "/replays", "", "{\"reason\":\"x\",\"destination\":\"orders\",\"messages\":1}")
                        .status())
                .isEqualTo(400);
        assertThat(get(MAIN + "/replays/plan?destination=oders").status()).isEqualTo(404);
    }

    @Test
    void lines_are_imported_once_after_a_dry_run() {
        String file = line("moved-1", 71) + line("moved-2", 72);
        assertThat(lines("?dryRun=true", file).body()).contains("\"imported\":2", "\"lines\":2");
        assertThat(lines("?dryRun=true", file + "no JSON").body()).contains("\"imported\":0", "\"line\":3");
        assertThat(lines("", file).status()).as("without a reason").isEqualTo(400);
        assertThat(lines("?reason=moved", file + "no JSON").body()).contains("line 3 is refused");
        assertThat(rows("select count(*) from %s.dead_letter_message")).isEqualTo("3\n");

        assertThat(lines("?reason=moved", file).body()).contains("\"imported\":2");
        assertThat(lines("?reason=moved", file).body()).contains("\"imported\":0");
        assertThat(rows("select action, operator, reason from %s.operator_action"))
                .isEqualTo("import,token:ci,moved\n");
        assertThat(as(operator)
                        .with("Content-Type", "application/json")
                        .postText(MAIN + "/dead-letters/import", "{}")
                        .status())
                .isEqualTo(415);
    }

    @Test
    void bodies_are_shown_to_operators_and_each_look_is_logged() {
        assertThat(get(MAIN + "/dead-letters/1/body").body()).contains("{\\\"order\\\": 1}", "\"hex\":null");
        assertThat(get(MAIN + "/holds/1/messages/1/body").body()).contains("große");
        assertThat(console.audited())
                .filteredOn(line -> line.contains("by token:ci"))
                .hasSize(2)
                .anyMatch(line -> line.startsWith("The body of dead letter 1 in"));
        assertThat(get(MAIN + "/holds/1/messages/77/body").status()).isEqualTo(404);
        assertThat(as(viewer).get(MAIN + "/dead-letters/1/body").status()).isEqualTo(403);
        assertThat(as(viewer).get(MAIN + "/holds/1/messages/1/body").status()).isEqualTo(403);
    }
}
