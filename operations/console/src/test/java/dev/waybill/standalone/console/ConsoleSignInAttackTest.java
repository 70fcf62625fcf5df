package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on the ways into the console, one a test; docs/operations/console-access.md sums them up. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ConsoleSignInAttackTest {
    @TempDir
    private Path directory;

    private RunningConsole console;

    @BeforeEach
    void start(TestDatabase database) {
        console = RunningConsole.withPeople(
                database,
                directory,
                "console.proxy.addresses",
                "192.0.2.7",
                "console.proxy.secret",
                "0123456789abcdef");
    }

    @Test
    void a_session_that_somebody_else_has_made_is_not_signed_in() {
        String planted = "waybill=" + "A".repeat(43);

        Answer in = console.http()
                .fromOurPage()
                .with("Cookie", planted)
                .post("/sign-in", "name", "ada", "password", RunningConsole.PASSWORD, "to", "");

        assertThat(in.status()).isEqualTo(303);
        assertThat(in.cookie()).startsWith("waybill=").isNotEqualTo(planted);
        assertThat(console.http().with("Cookie", planted).get("/").status()).isEqualTo(303);
        RawHttp ada = console.http().fromOurPage().with("Cookie", in.cookie());
        String next = ada.post("/sign-in", "name", "ada", "password", RunningConsole.PASSWORD, "to", "")
                .cookie();
        assertThat(ada.get("/").status()).as("the earlier session").isEqualTo(303);
        assertThat(console.http().with("Cookie", next).get("/").status()).isEqualTo(200);
    }

    @Test
    void a_header_that_names_somebody_counts_only_from_the_proxy_with_its_secret() {
        RawHttp forged = console.http().with("X-Forwarded-User", "ada");

        assertThat(forged.get("/").status()).isEqualTo(303);
        assertThat(forged.with("X-Waybill-Proxy-Secret", "0123456789abcdef")
                        .get("/")
                        .status())
                .as("the secret from another address")
                .isEqualTo(303);
        assertThat(forged.with("X-Forwarded-For", "192.0.2.7")
                        .with("X-Real-IP", "192.0.2.7")
                        .get("/")
                        .status())
                .isEqualTo(303);
        assertThat(console.logged()).anyMatch(line -> line.contains("Ignored the header"));
    }

    @Test
    void a_proxy_is_believed_only_with_one_name_and_one_right_secret(TestDatabase other) {
        RunningConsole behind = RunningConsole.withPeople(
                other, directory, "console.proxy.addresses", "127.0.0.1", "console.proxy.secret", "0123456789abcdef");
        RawHttp named = behind.http().with("X-Forwarded-User", "ada");

        assertThat(named.get("/").status()).isEqualTo(303);
        assertThat(named.with("X-Waybill-Proxy-Secret", "0123456789abcdeF")
                        .get("/")
                        .status())
                .isEqualTo(303);
        RawHttp proxy = named.with("X-Waybill-Proxy-Secret", "0123456789abcdef");
        assertThat(proxy.with("x-forwarded-user", "victor").get("/").status())
                .as("two names")
                .isEqualTo(303);
        assertThat(proxy.with("X-Forwarded-User", "a da").get("/").status()).isEqualTo(303);
        assertThat(proxy.get("/").status()).isEqualTo(200);
    }

    // HAProxy adds a line behind those that the browser has sent.
    @Test
    void nobody_chooses_the_address_that_failed_sign_ins_are_counted_for(TestDatabase other) {
        RunningConsole behind = RunningConsole.withPeople(
                other, directory, "console.proxy.addresses", "127.0.0.1", "console.proxy.secret", "0123456789abcdef");

        behind.http()
                .with("X-Forwarded-For", "198.51.100.66")
                .with("x-forwarded-for", "192.0.2.7")
                .fromOurPage()
                .post("/sign-in", "name", "ada", "password", "wrong", "to", "");

        assertThat(behind.logged())
                .anyMatch(line -> line.contains("sign-in failed") && line.endsWith("from 192.0.2.7"));
    }

    @Test
    void guesses_at_the_start_up_token_are_slowed_down_and_logged(TestDatabase other) {
        RunningConsole open = RunningConsole.start(other);
        var statuses = new ArrayList<Integer>();
        for (int i = 0; i < 8; i++) {
            statuses.add(open.http().get("/start?token=guess" + i).status());
        }

        assertThat(statuses).startsWith(403, 403, 403, 403, 403).endsWith(429);
        assertThat(open.logged())
                .filteredOn(line -> line.contains("sign-in failed: the start-up token"))
                .hasSize(5);
        assertThat(open.http().get("/start?token=" + open.token()).status())
                .as("the right one, which a page of a stranger in this browser must not lock out")
                .isEqualTo(303);
    }

    @Test
    void a_flood_of_sign_ins_is_refused_before_a_password_is_compared() {
        var statuses = new ArrayList<Integer>();
        for (int i = 0; i < 8; i++) {
            statuses.add(console.http()
                    .fromOurPage()
                    .post("/sign-in", "name", "ada", "password", "wrong", "to", "")
                    .status());
        }

        assertThat(statuses).startsWith(401, 401, 401, 401, 401).endsWith(429);
        Answer refused = console.http()
                .fromOurPage()
                .post("/sign-in", "name", "ada", "password", RunningConsole.PASSWORD, "to", "");
        assertThat(refused.status()).as("also with the right one").isEqualTo(429);
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(console.as("olga").get("/").status()).as("somebody else").isEqualTo(200);
        assertThat(console.logged()).anyMatch(line -> line.contains("sign-in failed: 'ada', from 127.0.0.1"));
    }

    @Test
    void a_name_cannot_write_lines_into_the_log() {
        console.http().fromOurPage().post("/sign-in", "name", "x\nINFO ada signed in", "password", "p", "to", "");

        assertThat(console.logged())
                .noneMatch(line -> line.contains("\n"))
                .anyMatch(line -> line.contains("'x?INFO ada"));
    }

    @Test
    void nobody_is_sent_to_another_site_after_signing_in() {
        for (String to : List.of(
                "https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/a/../b")) {
            Answer in = console.http()
                    .fromOurPage()
                    .post("/sign-in", "name", "ada", "password", RunningConsole.PASSWORD, "to", to);
            assertThat(in.header("Location")).as(to).isEqualTo("/");
        }
        assertThat(console.http().get("/destination?db=main&name=orders").header("Location"))
                .isEqualTo("/sign-in?to=%2Fdestination%3Fdb%3Dmain%26name%3Dorders");
    }
}
