package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The overview and a destination, in a browser. No broker runs: the database alone tells all of it. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
class ConsolePagesTest {
    private final Browser browser = Browser.shared();

    @TempDir
    private Path directory;

    private TestDatabase database;
    private RunningConsole console;
    private DSLContext dsl;

    @BeforeEach
    void start(TestDatabase database) throws SQLException {
        this.database = database;
        console = RunningConsole.withPeople(database, directory);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        ExampleOutbox.fill(dsl, database.schema());
    }

    @Test
    @Tag("long")
    void the_overview_tells_what_waits_and_what_to_do_and_keeps_itself_up_to_date() {
        browser.to(console.address() + "/destination?db=main&name=orders");
        assertThat(browser.text()).contains("Sign in");
        browser.examine("sign-in");
        browser.type("name", "victor");
        browser.type("password", RunningConsole.PASSWORD);
        browser.press("Sign in");
        assertThat(browser.address()).as("where one wanted to go").endsWith("/destination?db=main&name=orders");

        browser.follow("Overview");

        assertThat(browser.text())
                .contains(
                        "orders",
                        "invoices",
                        "payments/eu",
                        "relay-1",
                        "ledger",
                        "refused",
                        "Fix what the broker names");
        browser.examine("overview");
        if (browser.isReal()) {
            dsl.execute("insert into " + database.schema() + ".outbox_message (destination, message_id, payload)"
                    + " values ('notes', 'm1', '{}')");
            browser.await(() -> browser.text().contains("notes"));
            browser.follow("Stop refreshing");
            assertThat(browser.all("[hx-get]")).isEmpty();
        }
    }

    @Test
    @Tag("long")
    void a_destination_is_paused_and_goes_on_with_reasons_that_the_audit_keeps() {
        browser.signIn(console, "olga");
        browser.follow("orders");
        browser.examine("destination");

        browser.type("reason", "flood of duplicates");
        browser.press("Pause");
        assertThat(browser.text()).contains("The destination is paused.", "flood of duplicates (olga)");
        browser.examine("destination-paused");
        browser.type("reason", "over");
        browser.press("Resume");
        assertThat(browser.text()).contains("The destination is resumed.");
        browser.follow("Audit");
        assertThat(browser.text()).contains("destination orders", "flood of duplicates", "resume");
        browser.examine("audit");
        assertThat(console.as("victor").get("/audit?db=main&action=pause").body())
                .contains("flood of duplicates")
                .doesNotContain(">resume<");

        assertThat(dsl.fetch("select action, subject, operator, reason from " + database.schema()
                                + ".operator_action order by id")
                        .formatCSV())
                .contains("pause,orders,olga,flood of duplicates", "resume,orders,olga,over");
    }

    @Test
    void whoever_comes_second_changes_nothing_and_is_told() throws SQLException {
        RawHttp olga = console.as("olga");
        String page = "/destination?db=main&name=orders";
        String pause = "/destination/pause?db=main";
        String csrf = olga.get(page).hidden("csrf");

        String[] form = {"csrf", csrf, "name", "orders", "reason", "flood"};
        assertThat(olga.post(pause, form).header("Location")).endsWith("&done=paused");
        assertThat(olga.post(pause, form).header("Location"))
                .as("clicked twice")
                .endsWith("&done=already-paused");
        assertThat(olga.get(page + "&done=already-paused").body()).contains("was paused meanwhile");

        String seen = olga.get(page).hidden("seen");
        database.execute("update " + database.schema()
                + ".outbox_destination set pause_reason = 'migration, do not resume', paused_by = 'ada'");
        String[] resume = {"csrf", csrf, "name", "orders", "seen", seen, "reason", "over"};
        assertThat(olga.post("/destination/resume?db=main", resume).header("Location"))
                .endsWith("&done=changed");
        assertThat(olga.get(page).body()).contains("migration, do not resume");
    }

    @Test
    @Tag("long")
    void a_database_that_is_away_leaves_the_others_on_the_page() {
        RunningConsole two = RunningConsole.withPeople(
                database,
                directory,
                "database.away.url",
                "jdbc:postgresql://127.0.0.1:1/nothing",
                "console.session-database",
                "main");

        assertThat(two.as("victor").get("/").body()).contains("orders", "cannot be reached", "127.0.0.1:1");
    }

    @Test
    @Tag("long")
    void people_are_listed_for_an_admin() {
        console.as("victor");
        browser.signIn(console, "ada");
        browser.follow("People");

        assertThat(browser.text()).contains("victor", "ada");
        browser.examine("people");
    }
}
