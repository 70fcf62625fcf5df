package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.console.RawHttp.Answer;
import dev.waybill.standalone.console.access.TokensFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Whom failures are counted for, where all requests come from the address of an ingress, and for programs. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ConsoleBehindProxyTest {
    private static final String DATABASES = "/api/v1/databases";

    @TempDir
    private Path directory;

    private Path tokens;
    private String good;
    private String expired;

    @BeforeEach
    void makeTokens() throws IOException {
        TokensFile.Made ci = TokensFile.make("ci", "viewer", LocalDate.of(2099, 1, 1));
        TokensFile.Made old = TokensFile.make("old", "viewer", LocalDate.of(2020, 1, 1));
        good = ci.token();
        expired = old.token();
        tokens = Files.writeString(directory.resolve("tokens"), ci.line() + "\n" + old.line() + "\n");
    }

    private RunningConsole console(TestDatabase database, String trusted) {
        return RunningConsole.withPeople(
                database, directory, "console.tokens-file", tokens.toString(), "console.trusted-proxies", trusted);
    }

    private static Answer wrongPassword(RawHttp browser) {
        return browser.fromOurPage().post("/sign-in", "name", "ada", "password", "wrong", "to", "");
    }

    /** The address that a failure is counted for, by the log. */
    private static String counted(RunningConsole console, String forwarded) {
        int before = console.logged().size();
        RawHttp program = console.http().with("Authorization", "Bearer nobody");
        (forwarded.isEmpty() ? program : program.with("X-Forwarded-For", forwarded)).get(DATABASES);
        return String.join(
                        "\n", console.logged().subList(before, console.logged().size()))
                .replaceAll("(?s).*, from ", "");
    }

    @Test
    void people_behind_one_ingress_are_told_apart(TestDatabase database) {
        RunningConsole console = console(database, "127.0.0.0/8");
        RawHttp attacker = console.http().with("X-Forwarded-For", "198.51.100.66");
        var statuses = new ArrayList<Integer>();
        for (int i = 0; i < 6; i++) {
            statuses.add(wrongPassword(attacker).status());
        }

        assertThat(statuses).endsWith(429);
        assertThat(console.http()
                        .with("X-Forwarded-For", "198.51.100.66, 203.0.113.9")
                        .fromOurPage()
                        .post("/sign-in", "name", "ada", "password", RunningConsole.PASSWORD, "to", "")
                        .status())
                .as("ada herself, whatever stands before the address that the ingress has added")
                .isEqualTo(303);
        assertThat(console.logged()).anyMatch(line -> line.endsWith("by password, from 203.0.113.9"));
    }

    @Test
    void an_address_counts_only_as_far_as_those_who_told_it_are_trusted(TestDatabase database) {
        RunningConsole console = console(database, "127.0.0.1, 10.0.0.0/8, fd00::/8");
        var cases = new LinkedHashMap<String, String>();
        cases.put("", "127.0.0.1");
        cases.put("192.0.2.1", "192.0.2.1");
        cases.put("192.0.2.1, 10.1.2.3", "192.0.2.1");
        cases.put("1.1.1.1, 192.0.2.2,10.1.2.3 , 10.9.9.9", "192.0.2.2");
        cases.put("10.0.0.9, 192.0.2.3", "192.0.2.3");
        cases.put("10.0.0.8", "10.0.0.8");
        cases.put("10.0.0.7, 10.0.0.6", "10.0.0.7");
        cases.put("192.0.2.4:51234", "192.0.2.4");
        cases.put("[2001:db8::7]:443", "2001:db8:0:0:0:0:0:7");
        cases.put("2001:db8:1::8, fd00::1", "2001:db8:1:0:0:0:0:8");
        cases.put("::ffff:192.0.2.5", "192.0.2.5");
        // Another trusted one for each, since failures are logged for an address as long as they are few.
        int other = 0;
        for (String garbage : List.of(
                "fe80::1%eth0",
                "unknown",
                "192.0.2.6, ",
                "192.0.2.7, _hidden",
                "999.999.999.999",
                "2130706433",
                "192.0.2.8, 010.0.0.1",
                "<script>",
                "192.0.2.9, 192.0.2.9\t192.0.2.9")) {
            String proxy = "10.0.1." + other++;
            cases.put(garbage + ", " + proxy, proxy);
        }
        var found = new LinkedHashMap<String, String>();
        cases.keySet().forEach(forwarded -> found.put(forwarded, counted(console, forwarded)));

        assertThat(found).containsExactlyEntriesOf(cases);
    }

    @Test
    void a_header_from_an_address_that_is_not_trusted_counts_for_nothing(TestDatabase database) {
        RunningConsole console = console(database, "10.0.0.0/8, 127.0.0.2");

        assertThat(counted(console, "192.0.2.1")).isEqualTo("127.0.0.1");
        for (int i = 0; i < 6; i++) {
            counted(console, "192.0.2." + i);
        }
        RawHttp spoofed = console.http().with("X-Forwarded-For", "192.0.2.77").with("Authorization", "Bearer nobody");
        assertThat(spoofed.get(DATABASES).status())
                .as("all count for one address")
                .isEqualTo(429);
    }

    @Test
    void tokens_that_count_for_nothing_are_told_and_slowed_down_and_lock_no_good_one_out(TestDatabase database) {
        RunningConsole console = console(database, "");
        RawHttp http = console.http();
        String unknown = "waybill_" + "x".repeat(43);
        var statuses = new ArrayList<Integer>();
        for (String shown : new String[] {expired, unknown, "nobody", "waybill_", good + "x"}) {
            statuses.add(
                    http.with("Authorization", "Bearer " + shown).get(DATABASES).status());
        }
        Answer sixth = http.with("Authorization", "Bearer " + unknown).get(DATABASES);

        assertThat(statuses).containsOnly(401);
        assertThat(sixth.status()).isEqualTo(429);
        assertThat(sixth.header("Retry-After")).isNotEmpty();
        assertThat(sixth.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(http.with("Authorization", "Bearer " + good).get(DATABASES).status())
                .as("a good one of the same address at that moment")
                .isEqualTo(200);
        assertThat(console.logged())
                .filteredOn(line -> line.contains("API request rejected"))
                .hasSize(5)
                .noneMatch(line -> line.contains(unknown) || line.contains(expired))
                .anyMatch(line -> line.contains("'old' counted until 2020-01-02"))
                .anyMatch(line -> line.contains("not in console.tokens-file"))
                .anyMatch(line -> line.contains("has not the form of a token, from 127.0.0.1"));
        assertThat(http.get(DATABASES).status())
                .as("without a token, which is not counted")
                .isEqualTo(401);
    }

    @Test
    void a_proxy_that_is_no_address_is_refused_at_the_start(TestDatabase database) {
        Map.of(
                        "ingress", "neither an IP address nor a network",
                        "10.0.0.0/33", "no length from 1 to 32",
                        "10.1.2.3/8", "has bits behind the first 8",
                        "0.0.0.0/0", "no length",
                        "300.0.0.1", "neither")
                .forEach((text, why) -> assertThatThrownBy(() -> console(database, text))
                        .hasMessageContaining("console.trusted-proxies names '" + text + "'")
                        .hasMessageContaining(why));
    }
}
