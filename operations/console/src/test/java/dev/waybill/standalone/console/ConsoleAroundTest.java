package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Consumers, scheduled and deferred messages, replays, the doctor and the whole audit. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
class ConsoleAroundTest {
    private static final Pattern NEXT = Pattern.compile("rel=\"next\" href=\"([^\"]+)\"");

    private final Browser browser = Browser.shared();

    @TempDir
    private Path directory;

    private RunningConsole console;
    private DSLContext dsl;
    private String schema;

    @BeforeEach
    void start(TestDatabase database) {
        console = RunningConsole.withPeople(
                database,
                directory,
                "namespace.main.connection-string",
                "Endpoint=sb://127.0.0.1:9;SharedAccessKeyName=a;SharedAccessKey=Yg==;UseDevelopmentEmulator=true");
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        schema = database.schema();
        ExampleOutbox.fill(dsl, schema);
    }

    private void execute(String statement) {
        dsl.execute(statement.formatted(schema));
    }

    private String rows(String query) {
        return dsl.fetch(query.formatted(schema)).formatCSV(false);
    }

    private static String next(Answer page) {
        Matcher next = NEXT.matcher(page.body());
        return next.find() ? next.group(1).replace("&amp;", "&") : "";
    }

    @Test
    @Tag("long")
    void a_scheduled_message_is_cancelled_with_a_reason_that_stays() {
        browser.signIn(console, "olga");
        browser.follow("Scheduled");
        assertThat(browser.text()).contains("later-1", "later-5", "orders");
        browser.examine("scheduled");
        browser.follow("later-2");

        browser.type("typed", "later-1");
        browser.type("reason", "sold out");
        browser.press("Cancel the message");
        assertThat(browser.text()).contains("is not the id of the message");
        browser.back();
        browser.type("typed", "later-2");
        browser.type("reason", "sold out");
        browser.press("Cancel the message");

        assertThat(browser.text()).contains("is cancelled", "later-1").doesNotContain("later-2");
        assertThat(rows("select scope, subject, operator, reason from %s.operator_action"))
                .isEqualTo("orders,later-2,olga,sold out\n");
        browser.follow("Audit");
        assertThat(browser.text()).contains("cancel", "message later-2 of orders", "sold out");
    }

    @Test
    void a_message_that_was_scheduled_anew_meanwhile_is_not_cancelled() {
        RawHttp olga = console.as("olga");
        String id = rows("select id from %s.outbox_scheduled where message_id = 'later-3'")
                .strip();
        Answer page = olga.get("/scheduled-message?db=main&id=" + id);
        String[] form = {
            "csrf", page.hidden("csrf"), "id", id, "seen", page.hidden("seen"), "typed", "later-3", "reason", "x"
        };
        execute("update %s.outbox_scheduled set payload = 'other' where message_id = 'later-3'");

        assertThat(olga.post("/scheduled-message/cancel?db=main", form).header("Location"))
                .endsWith("done=scheduled-changed");
        assertThat(rows("select count(*) from %s.operator_action")).isEqualTo("0\n");
        assertThat(console.as("victor")
                        .post("/scheduled-message/cancel?db=main", form)
                        .status())
                .isEqualTo(403);
        assertThat(rows("select count(*) from %s.outbox_scheduled")).isEqualTo("5\n");
    }

    @Test
    void long_lists_are_paged_without_gaps_and_without_repeats() {
        execute("insert into %s.outbox_scheduled (destination, message_id, payload, due_at)"
                + " select 'd' || n %% 3, 'x' || n, '', '2030-01-01' from generate_series(1, 60) n");
        execute(
                "insert into %s.operator_action (subject_kind, scope, subject, action, operator, reason, at)"
                        + " select 'outbox-hold', 'orders', 's' || n, 'release', 'ada', 'r', '2026-01-01' from generate_series(1, 130) n");
        execute("insert into %s.operator_action (subject_kind, subject, action, operator, reason, at)"
                + " select 'dead-letter', '', 'discard', 'ada', 'r' || n, '2026-01-01' from generate_series(1, 30) n");
        RawHttp victor = console.as("victor");

        assertThat(walked(victor, "/scheduled?db=main", "scheduled-message\\?db=main&amp;id=([0-9]+)"))
                .isEqualTo(65);
        assertThat(walked(victor, "/audit?db=main&operator=ada", "outbox hold s([0-9]+) of"))
                .isEqualTo(130);
        assertThat(walked(victor, "/audit?db=main&subject=hold+s13", "outbox hold (s13[0-9]*) of"))
                .isEqualTo(2);
        assertThat(victor.get("/audit?db=main&until=2025-12-31T00:00").body()).contains("Nothing was done.");
        assertThat(victor.get("/audit?db=main&from=yesterday").status()).isEqualTo(400);
        assertThat(victor.get("/audit?db=main&behind=x").status()).isEqualTo(400);
    }

    private static int walked(RawHttp person, String address, String each) {
        var seen = new java.util.HashSet<String>();
        int found = 0;
        for (String at = address; !at.isEmpty(); ) {
            Answer page = person.get(at);
            assertThat(page.status()).as(at).isEqualTo(200);
            Matcher matcher = Pattern.compile(each).matcher(page.body());
            while (matcher.find()) {
                found++;
                seen.add(matcher.group(1));
            }
            at = next(page);
        }
        assertThat(seen).hasSize(found);
        return found;
    }

    @Test
    @Tag("long")
    void published_messages_are_replayed_once_however_often_the_form_is_sent() {
        execute("with gone as (delete from %1$s.outbox_message where destination = 'orders' returning *)"
                + " insert into %1$s.outbox_published (seq, destination, session_id, message_id, payload, created_at)"
                + " select seq, destination, session_id, message_id, payload, created_at from gone");
        browser.signIn(console, "olga");
        browser.follow("Replay");
        browser.type("destination", "orders");
        browser.press("Count them");
        String published = browser.find("input[name=seen]").getAttribute("value");
        assertThat(published).isNotEqualTo("0");
        browser.examine("replay-plan");
        RawHttp olga = console.as("olga");
        Answer plan = olga.get("/replay/plan?db=main&destination=orders&until=2030-01-01T00:00");
        String[] form = {
            "csrf",
            plan.hidden("csrf"),
            "destination",
            "orders",
            "session",
            "",
            "from",
            "",
            "until",
            plan.hidden("until"),
            "seen",
            plan.hidden("seen"),
            "typed",
            plan.hidden("seen"),
            "reason",
            "lost"
        };
        assertThat(olga.post("/replay/start?db=main", form).header("Location")).endsWith("replay-begun");
        assertThat(olga.post("/replay/start?db=main", form).header("Location"))
                .as("sent twice")
                .endsWith("replay-changed");
        browser.follow("Replay");

        assertThat(browser.text()).contains("lost (olga)", "done");
        browser.examine("replay");
        assertThat(rows("select count(*), sum(replayed) from %s.outbox_replay")).isEqualTo("1," + published + "\n");
    }

    @Test
    void a_replay_that_was_cut_short_goes_on_or_is_abandoned() {
        execute(
                "insert into %s.outbox_replay (id, destination, created_from, created_until, position, last_seq, reason)"
                        + " values ('00000000-0000-0000-0000-000000000001', 'orders', '-infinity', 'infinity', 0, 0, 'cut'),"
                        + " ('00000000-0000-0000-0000-000000000002', 'orders', '-infinity', 'infinity', 0, 0, 'other')");
        RawHttp olga = console.as("olga");
        Answer page = olga.get("/replay?db=main");
        String[] first = {
            "csrf", page.hidden("csrf"), "run", "00000000-0000-0000-0000-000000000001", "reason", "no need"
        };
        String[] second = {"csrf", page.hidden("csrf"), "run", "00000000-0000-0000-0000-000000000002", "reason", "on"};

        assertThat(olga.post("/replay/abandon?db=main", first).header("Location"))
                .endsWith("replay-abandoned");
        assertThat(olga.post("/replay/abandon?db=main", first).header("Location"))
                .endsWith("replay-over");
        assertThat(olga.post("/replay/resume?db=main", second).header("Location"))
                .endsWith("replay-goes-on");
        assertThat(rows("select state from %s.outbox_replay order by id")).isEqualTo("abandoned\ndone\n");
        assertThat(console.as("victor")
                        .get("/replay/plan?db=main&destination=orders")
                        .status())
                .isEqualTo(403);
    }

    @Test
    @Tag("long")
    void consumers_and_what_they_have_deferred_are_shown() {
        execute(
                "insert into %s.inbox_deferral (key, consumer, message_id, defer_key, sequence_number, enqueued_at, deferred_at)"
                        + " select gen_random_uuid(), 'ledger', 'wait-' || n, 'order/' || n %% 2, n, now(), now() - interval '2 days'"
                        + " from generate_series(1, 120) n");
        browser.signIn(console, "victor");
        browser.follow("Consumers");
        assertThat(browser.text()).contains("ledger", "alive", "120");
        browser.examine("consumers");
        browser.follow("Deferrals");
        assertThat(browser.text()).contains("order/0", "forgotten");
        browser.examine("deferrals");

        assertThat(walked(
                        console.as("victor"),
                        "/deferrals?db=main&consumer=ledger",
                        "by=message&amp;text=(wait-[0-9]+)"))
                .isEqualTo(120);
    }

    @Test
    @Tag("long")
    void the_doctor_tells_what_the_database_tells_while_the_broker_is_away() {
        browser.signIn(console, "victor");
        browser.follow("Doctor");
        browser.await(() -> {
            if (!browser.text().contains("Examined")) {
                browser.to(console.address() + "/doctor");
            }
            return browser.text().contains("Examined");
        });

        assertThat(browser.text()).contains("database main", "not reached", "namespace main at 127.0.0.1:9");
        browser.examine("doctor");
        assertThat(console.as("otto").get("/doctor").status()).isEqualTo(403);
    }
}
