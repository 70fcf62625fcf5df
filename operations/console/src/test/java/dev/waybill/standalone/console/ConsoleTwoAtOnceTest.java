package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two people, two programs, or a database that cannot be written. */
@Timeout(90)
class ConsoleTwoAtOnceTest extends ConsoleWithToken {
    @Test
    void whoever_skips_a_message_that_somebody_has_edited_meanwhile_is_told() {
        RawHttp olga = console.as("olga");
        Answer page = olga.get("/hold?db=main&side=outbox&id=1");
        String tag = program().get(MAIN + "/holds/1").header("ETag");
        long first = dsl.fetchSingle(
                        "select min(place) from %s.outbox_held_message where hold_id = 1".formatted(schema))
                .get(0, Long.class);
        Answer form = olga.get("/hold/edit?db=main&side=outbox&id=1&place=" + first);
        var fields = new ArrayList<>(List.of(
                "csrf",
                form.hidden("csrf"),
                "content-type",
                "application/json",
                "correlation-id",
                "fixed",
                "new-name",
                "",
                "new-value",
                "",
                "body",
                "{}"));
        Answer preview =
                olga.post("/hold/edit/preview?db=main&side=outbox&id=1&place=" + first, fields.toArray(String[]::new));
        fields.addAll(List.of("seen", preview.hidden("seen"), "reason", "mended"));
        assertThat(olga.post("/hold/edit?db=main&side=outbox&id=1&place=" + first, fields.toArray(String[]::new))
                        .header("Location"))
                .endsWith("message-edited");

        assertThat(post("/holds/1/skip", tag, "{\"reason\":\"x\",\"message\":\"debit-42\",\"place\":" + first + "}")
                        .status())
                .isEqualTo(412);
        assertThat(olga.post(
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
                                "" + first,
                                "typed",
                                "debit-42",
                                "reason",
                                "gone")
                        .header("Location"))
                .endsWith("hold-changed");
    }

    // Somebody's edit is under way, and holds the row, when the click comes.
    private Answer whileSomebodyEdits(TestDatabase database, Supplier<Answer> click) throws Exception {
        var pool = Executors.newSingleThreadExecutor();
        try (var other = database.dataSource().getConnection()) {
            other.setAutoCommit(false);
            try (var statement = other.createStatement()) {
                statement.execute("update " + schema + ".dead_letter_message set version = 2 where id = 1");
                statement.execute(
                        "update " + schema + ".dead_letter_state set changed_at = clock_timestamp() where id = 1");
            }
            var answer = pool.submit(click::get);
            Awaitility.await()
                    .until(() -> answer.isDone()
                            || dsl.fetchSingle("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
                                            .get(0, Integer.class)
                                    > 0);
            other.commit();
            return answer.get();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void a_click_that_waits_for_somebodys_edit_changes_nothing(TestDatabase database) throws Exception {
        String tag = program().get(MAIN + "/dead-letters/1").header("ETag");
        assertThat(whileSomebodyEdits(database, () -> post("/dead-letters/1/discard", tag, "{\"reason\":\"x\"}"))
                        .status())
                .isEqualTo(412);
    }

    @Test
    void a_click_on_a_page_that_waits_for_somebodys_edit_changes_nothing(TestDatabase database) throws Exception {
        RawHttp olga = console.as("olga");
        Answer page = olga.get("/dead-letter?db=main&id=1");
        assertThat(whileSomebodyEdits(
                                database,
                                () -> olga.post(
                                        "/dead-letter/discard?db=main",
                                        "csrf",
                                        page.hidden("csrf"),
                                        "id",
                                        "1",
                                        "seen",
                                        page.hidden("seen"),
                                        "reason",
                                        "x"))
                        .header("Location"))
                .endsWith("letter-changed");
    }

    @Test
    void a_release_that_is_sent_twice_at_once_is_made_once(TestDatabase database) throws Exception {
        String tag = program().get(MAIN + "/holds/1").header("ETag");
        var pool = Executors.newFixedThreadPool(2);
        try (var other = database.dataSource().getConnection()) {
            other.setAutoCommit(false);
            try (var statement = other.createStatement()) {
                statement.execute("select from " + schema + ".outbox_hold where id = 1 for update");
            }
            var one = pool.submit(
                    () -> post("/holds/1/release", tag, "{\"reason\":\"x\"}").status());
            var two = pool.submit(
                    () -> post("/holds/1/release", tag, "{\"reason\":\"x\"}").status());
            Awaitility.await()
                    .until(() -> dsl.fetchSingle("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
                                    .get(0, Integer.class)
                            > 1);
            other.commit();
            assertThat(List.of(one.get(), two.get())).containsExactlyInAnyOrder(200, 412);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void pages_of_operators_are_read_as_the_role_of_viewers(TestDatabase other) {
        String url = other.server().jdbcUrl();
        RunningConsole lame = RunningConsole.withPeople(
                other,
                directory,
                "database.main.url",
                url.replaceAll("[?&]user=[^&]*", ""),
                "database.main.user",
                url.replaceAll(".*[?&]user=([^&]*).*", "$1"),
                "database.main.operator-user",
                "nobody");
        RawHttp olga = lame.as("olga");
        for (String path : List.of(
                "/dead-letter?db=main&id=1",
                "/dead-letters/many?db=main&deed=redrive",
                "/dead-letters/many?db=main&deed=restore&state=archived",
                "/dead-letter/edit?db=main&id=1",
                "/hold/edit?db=main&side=outbox&id=1&place=1",
                "/held/many?db=main&deed=release",
                "/replay/plan?db=main&destination=orders",
                "/body?db=main&letter=1",
                "/redrives?db=main",
                "/scheduled-message?db=main&id=1")) {
            assertThat(olga.get(path).status()).as(path).isEqualTo(200);
        }
    }

    @Test
    void whoever_is_signed_in_goes_on_looking_while_the_database_cannot_be_written() {
        RawHttp olga = console.as("olga");
        dsl.execute("update %s.console_session set seen_at = seen_at - interval '1 minute'".formatted(schema));
        dsl.execute(
                "create function %s.refuse() returns trigger language plpgsql as $$ begin raise exception using errcode = '25006'; end $$"
                        .formatted(schema));
        dsl.execute(
                "create trigger refuse before update or insert on %1$s.console_session execute function %1$s.refuse()"
                        .formatted(schema));

        assertThat(olga.get("/dead-letters?db=main").status()).isEqualTo(200);
        assertThat(console.http()
                        .fromOurPage()
                        .post("/sign-in", "name", "ada", "password", RunningConsole.PASSWORD, "to", "")
                        .status())
                .isEqualTo(503);
    }
}
