package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** People come in, stay for a while, and may do what their role allows. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ConsoleAccessTest {
    @TempDir
    private Path directory;

    @Test
    void the_token_of_the_log_is_good_for_one_sign_in_and_does_not_stay_in_the_address(TestDatabase database) {
        RunningConsole console = RunningConsole.start(database);
        assertThat(console.http().get("/").header("Location")).isEqualTo("/sign-in");
        String token = console.token();

        Answer in = console.http().get("/start?token=" + token);

        assertThat(in.status()).isEqualTo(303);
        assertThat(in.header("Location")).isEqualTo("/");
        assertThat(in.header("Set-Cookie"))
                .contains("HttpOnly", "SameSite=Strict", "Path=/")
                .doesNotContain("Secure");
        Answer page = console.http().with("Cookie", in.cookie()).get("/");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains(System.getProperty("user.name")).doesNotContain(token);
        assertThat(console.http().get("/start?token=" + token).status()).isEqualTo(403);
        assertThat(console.token()).as("the next one").isNotEqualTo(token);
    }

    @Test
    void the_database_knows_a_digest_of_the_session_and_nothing_that_opens_it(TestDatabase database) {
        RunningConsole console = RunningConsole.withPeople(database, directory);
        Answer in = console.http()
                .fromOurPage()
                .post("/sign-in", "name", "ada", "password", RunningConsole.PASSWORD, "to", "");
        String token = in.cookie().substring(in.cookie().indexOf('=') + 1);

        String rows = DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .fetch("select *, encode(token_hash, 'escape') from " + database.schema() + ".console_session")
                .format();

        assertThat(token).hasSize(43);
        assertThat(rows).contains("ada").doesNotContain(token);
    }

    @Test
    void a_session_ends_after_its_idle_time_its_lifetime_a_sign_out_and_a_change_of_the_password(TestDatabase database)
            throws SQLException, IOException {
        RunningConsole console = RunningConsole.withPeople(database, directory);
        String sessions = database.schema() + ".console_session";

        RawHttp idle = console.as("ada");
        assertThat(idle.get("/").status()).isEqualTo(200);
        database.execute("update " + sessions + " set seen_at = seen_at - interval '31 minutes'");
        assertThat(idle.get("/").status()).isEqualTo(303);

        RawHttp old = console.as("ada");
        database.execute("update " + sessions + " set ends_at = clock_timestamp()");
        assertThat(old.get("/").status()).isEqualTo(303);

        RawHttp gone = console.as("ada");
        String csrf = gone.get("/").hidden("csrf");
        assertThat(gone.post("/sign-out", "csrf", csrf).status()).isEqualTo(303);
        assertThat(gone.get("/").status()).isEqualTo(303);

        RawHttp changed = console.as("ada");
        Path users = directory.resolve("users");
        Files.writeString(users, Files.readString(users).replaceFirst("ada:[^:]*", "ada:-"));
        assertThat(changed.get("/").status()).isEqualTo(303);
    }

    @Test
    void what_a_page_asks_by_itself_keeps_no_session_alive(TestDatabase database) throws SQLException {
        RunningConsole console = RunningConsole.withPeople(database, directory);
        String sessions = database.schema() + ".console_session";
        RawHttp ada = console.as("ada");
        database.execute("update " + sessions + " set seen_at = seen_at - interval '10 minutes'");

        assertThat(ada.get("/parts/overview").status()).isEqualTo(200);
        assertThat(seenAgo(database)).isGreaterThan(500);

        assertThat(ada.get("/").status()).isEqualTo(200);
        assertThat(seenAgo(database)).isLessThan(100);
    }

    private static int seenAgo(TestDatabase database) {
        return DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .fetchSingle("select extract(epoch from clock_timestamp() - max(seen_at))::integer from "
                        + database.schema() + ".console_session")
                .get(0, Integer.class);
    }

    @Test
    void a_part_of_a_page_asks_the_browser_to_load_it_anew_when_the_session_is_over(TestDatabase database) {
        RunningConsole console = RunningConsole.withPeople(database, directory);

        Answer answer = console.http().with("HX-Request", "true").get("/parts/overview");

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("HX-Refresh")).isEqualTo("true");
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void a_role_counts_in_the_database_that_it_names_and_a_viewer_changes_nothing(TestDatabase database) {
        RunningConsole console = RunningConsole.withPeople(database, directory);
        append(database);
        RawHttp victor = console.as("victor");
        RawHttp otto = console.as("otto");

        assertThat(otto.get("/").body()).contains("may look at no database");
        assertThat(otto.get("/destination?db=main&name=orders").status()).isEqualTo(404);
        Answer page = victor.get("/destination?db=main&name=orders");
        assertThat(page.body()).contains("takes the role operator").doesNotContain("/destination/pause");
        assertThat(pause(victor, page).status()).isEqualTo(403);
        assertThat(pauses(database)).isZero();
        assertThat(victor.get("/people").status()).isEqualTo(403);

        RawHttp olga = console.as("olga");
        assertThat(pause(olga, olga.get("/destination?db=main&name=orders")).status())
                .isEqualTo(303);
        assertThat(pauses(database)).isEqualTo(1);
    }

    private static Answer pause(RawHttp person, Answer page) {
        return person.post(
                "/destination/pause?db=main", "csrf", page.hidden("csrf"), "name", "orders", "reason", "flood");
    }

    private static int pauses(TestDatabase database) {
        return DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .fetchCount(
                        DSL.table(database.schema() + ".outbox_destination"), DSL.condition("paused_at is not null"));
    }

    static void append(TestDatabase database) {
        DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .execute("insert into " + database.schema() + ".outbox_message (destination, message_id, payload)"
                        + " values ('orders', 'm1', '{}')");
    }

    @Test
    void an_admin_ends_the_session_of_somebody_else_and_the_audit_log_says_so(TestDatabase database) {
        RunningConsole console = RunningConsole.withPeople(database, directory);
        RawHttp victor = console.as("victor");
        RawHttp ada = console.as("ada");
        Answer people = ada.get("/people");
        String row = people.body().substring(people.body().indexOf("<th scope=\"row\">victor</th>"));
        String id = new Answer(200, Map.of(), row).hidden("id");

        assertThat(ada.post("/people/end", "csrf", people.hidden("csrf"), "id", id)
                        .status())
                .isEqualTo(303);

        assertThat(victor.get("/").status()).isEqualTo(303);
        assertThat(ada.get("/").status()).isEqualTo(200);
    }

    @Test
    void a_session_is_good_at_every_replica(TestDatabase database) {
        RunningConsole one = RunningConsole.withPeople(database, directory);
        RunningConsole other = RunningConsole.withPeople(database, directory);

        String cookie = one.http()
                .fromOurPage()
                .post("/sign-in", "name", "ada", "password", RunningConsole.PASSWORD, "to", "")
                .cookie();

        assertThat(other.http().with("Cookie", cookie).get("/").status()).isEqualTo(200);
    }

    @Test
    void a_proxy_signs_people_in_who_have_a_role(TestDatabase database) {
        RunningConsole console = RunningConsole.withPeople(
                database,
                directory,
                "console.proxy.addresses",
                "127.0.0.1",
                "console.proxy.secret",
                "0123456789abcdef");
        RawHttp proxy = console.http().with("X-Waybill-Proxy-Secret", "0123456789abcdef");

        Answer petra = proxy.with("X-Forwarded-User", "petra").get("/");
        assertThat(petra.status()).isEqualTo(200);
        assertThat(petra.body()).contains("<strong>petra</strong>");
        RawHttp again = proxy.with("Cookie", petra.cookie());
        assertThat(again.with("X-Forwarded-User", "petra").get("/").cookie())
                .as("the same session")
                .isEmpty();
        assertThat(again.with("X-Forwarded-User", "victor").get("/").body()).contains("<strong>victor</strong>");
        assertThat(again.get("/").status())
                .as("a session by proxy without the proxy's word")
                .isEqualTo(303);
        assertThat(proxy.with("X-Forwarded-User", "nobody").get("/").status()).isEqualTo(403);
    }

    @Test
    void beyond_loopback_it_starts_only_with_everything_that_keeps_strangers_out(TestDatabase database) {
        assertThatThrownBy(() -> RunningConsole.start(database, "console.bind", "0.0.0.0", "console.enabled", "true"))
                .hasMessageContaining("console.users-file")
                .hasMessageContaining("console.hosts")
                .hasMessageContaining("console.https")
                .hasMessageContaining("database.main.viewer-user and .operator-user");
        assertThatThrownBy(() -> RunningConsole.start(database, "console.bind", "0.0.0.0"))
                .as("also as a process of its own")
                .hasMessageContaining("console.users-file");
        assertThatThrownBy(() -> RunningConsole.start(database, "console.users-file", directory + "/none"))
                .hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> RunningConsole.start(database, "console.proxy.addresses", "proxy.local"))
                .hasMessageContaining("need each other");
    }

    @Test
    void a_users_file_that_is_gone_or_broken_leaves_people_as_they_were_and_is_told_once(TestDatabase database)
            throws IOException {
        RunningConsole console = RunningConsole.withPeople(database, directory);
        RawHttp ada = console.as("ada");
        Path users = directory.resolve("users");

        Files.writeString(users, "ada:-:king");
        assertThat(ada.get("/").status()).isEqualTo(200);
        Files.delete(users);
        assertThat(ada.get("/").status()).isEqualTo(200);
        assertThat(ada.get("/").status()).isEqualTo(200);

        assertThat(console.logged())
                .filteredOn(line -> line.contains("keeps its previous content"))
                .hasSize(2);
    }

    @Test
    void a_wrong_users_file_names_the_line_and_never_what_stands_there(TestDatabase database) throws IOException {
        Path file = directory.resolve("wrong");
        for (String line : List.of("ada:secret:admin", "ada:admin", "ada:-:root", "ada:-:viewer\nada:-:admin")) {
            Files.writeString(file, line);
            assertThatThrownBy(() -> RunningConsole.start(database, "console.users-file", file.toString()))
                    .hasMessageContaining("line " + line.lines().count())
                    .hasMessageNotContaining("secret");
        }
    }
}
