package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.ConsolePage;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The console as a process of its own and beside a relay. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
class ConsoleCommandTest {
    private static final Pattern ADDRESS =
            Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/start\\?token=[A-Za-z0-9_-]+");
    private static final Map<String, String> ANY_PORT = Map.of("WAYBILL_CONSOLE_PORT", "0");

    @TempDir
    private Path directory;

    @Test
    @Tag("long")
    void the_process_says_where_one_signs_in_lets_a_program_in_and_ends_by_a_signal(TestDatabase database)
            throws Exception {
        Path tokens = directory.resolve("tokens");
        var program =
                Program.with(directory, Program.database(database) + "console: { tokens-file: " + tokens + " }\n");
        List<String> token = program.run("console", "token", "job", "--days", "1")
                .out()
                .lines()
                .toList();
        assertThat(token).hasSize(2);
        Files.writeString(tokens, token.get(1) + "\n");
        program.run("migrate", "up", "console");
        Path out = directory.resolve("out");
        Process console = program.start(out, ANY_PORT, "console");
        try {
            String address = address(out);
            assertThat(status(address)).isEqualTo(303);
            assertThat(databases(URI.create(address).resolve("/api/v1/databases"), token.get(0)))
                    .contains("\"main\"", "viewer");
        } finally {
            console.destroy();
        }
        assertThat(console.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(console.exitValue()).isZero();
    }

    @Test
    @Tag("long")
    void a_relay_serves_it_if_it_is_told_to_and_publishes_also_if_the_port_is_taken(TestDatabase database)
            throws Exception {
        var program = Program.with(directory, Program.database(database) + """
                namespace: { main: { connection-string: "Endpoint=sb://127.0.0.1:1;SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=true;" } }
                destination: { orders: { sessions: true } }
                http: { port: 0, bind: 127.0.0.1 }
                console: { enabled: true }
                """);
        program.run("migrate", "up");
        Path out = directory.resolve("out");
        Path other = directory.resolve("other");
        Process first = program.start(out, ANY_PORT, "run");
        try {
            String address = address(out);
            assertThat(status(address)).isEqualTo(303);
            String taken = Integer.toString(URI.create(address).getPort());
            Process second =
                    program.start(other, Map.of("WAYBILL_CONSOLE_PORT", taken, "WAYBILL_INSTANCE", "two"), "run");
            try {
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> Files.readString(other).contains("Console not started, the relays run")
                                && Files.readString(other).contains("Relay of database 'main' started"));
            } finally {
                second.destroyForcibly();
            }
        } finally {
            first.destroyForcibly();
        }
    }

    private static String address(Path out) throws IOException {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> ADDRESS.matcher(Files.readString(out)).find());
        return ADDRESS.matcher(Files.readString(out))
                .results()
                .map(MatchResult::group)
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    private static String databases(URI address, String token) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(address)
                                .header("Authorization", "Bearer " + token)
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private static int status(String address) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void a_line_of_the_users_file_is_made_from_a_password() {
        var program = Program.with(directory, "");

        assertThat(password(program, "correct horse battery", "ada", "--roles", "viewer,operator@orders")
                        .out()
                        .strip())
                .matches("ada:\\$2a\\$12\\$[./A-Za-z0-9]{53}:viewer,operator@orders");
        assertThat(password(program, "short", "ada").err()).contains("12 characters");
        assertThat(password(program, "correct horse battery", "a:b").exitCode()).isEqualTo(2);
        assertThat(password(program, "correct horse battery", "ada", "--roles", "root")
                        .err())
                .contains("no role");
    }

    @Test
    void the_page_shows_the_lines_of_a_password_and_a_token() {
        var program = Program.with(directory, "");
        List<ConsolePage.Step> steps = ConsolePage.steps(Path.of("../../docs/operations/console-access.md")).stream()
                .filter(step -> step.command().startsWith("console "))
                .toList();
        assertThat(steps).hasSize(2);

        String[] password = ConsolePage.words(steps.get(0).command());
        String line = password(program, "correct horse battery", Arrays.copyOfRange(password, 2, password.length))
                .out();
        assertThat(steps.get(0).printed()).as("the prompt of a terminal").startsWith("Password:");
        assertThat("Password:\n" + line).matches(steps.get(0).expected());

        String token = program.run(ConsolePage.words(steps.get(1).command())).out();
        String last = LocalDate.now(ZoneOffset.UTC).plusDays(30).toString();
        assertThat(token).contains(last);
        assertThat(token.replace(last, "2026-12-23")).matches(steps.get(1).expected());
    }

    private static Result password(Program program, String password, String... arguments) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream((password + "\n").getBytes(StandardCharsets.UTF_8)));
        try {
            String[] all = new String[arguments.length + 2];
            all[0] = "console";
            all[1] = "password";
            System.arraycopy(arguments, 0, all, 2, arguments.length);
            return program.run(all);
        } finally {
            System.setIn(before);
        }
    }
}
