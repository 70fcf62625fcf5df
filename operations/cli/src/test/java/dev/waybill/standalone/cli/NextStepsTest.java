package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.health.HealthCheck;
import dev.waybill.standalone.health.Probes;
import dev.waybill.standalone.health.ProcessHealth;
import dev.waybill.standalone.health.ScaleAnswer;
import dev.waybill.standalone.health.ScaleQuestions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes in the command line and the configuration: the answer says what to do next. No database is there. */
@Timeout(60)
class NextStepsTest {
    private static final Map<String, String> NO_FILE = Map.of("WAYBILL_CONFIG", "");

    @TempDir
    private Path directory;

    private Program program;

    @BeforeEach
    void configure() {
        program = Program.with(directory, "database: { main: { url: \"jdbc:postgresql://127.0.0.1:1/none\" } }\n");
    }

    @Test
    void without_a_configuration_the_answer_says_how_one_is_given() {
        Result result = program.run(NO_FILE, "status");

        assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err()).contains("--config FILE", "WAYBILL_CONFIG", "WAYBILL_DATABASE_MAIN_URL");
        assertThat(program.run(NO_FILE, "run").err()).contains("--config FILE", "config print");
    }

    @ParameterizedTest
    @ValueSource(strings = {"topology check", "topology plan", "topology apply --dry-run", "doctor"})
    void of_nothing_declared_it_is_not_said_that_all_is_as_it_should_be(String verb) {
        Result result = program.run(NO_FILE, verb.split(" ", -1));

        assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("--config FILE", "WAYBILL_CONFIG");
    }

    @Test
    void a_namespace_without_destinations_declares_nothing() {
        Result result = program.run(
                NO_FILE, "topology", "check", "--set", "namespace.main.host=none.servicebus.windows.net", "--json");

        assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err())
                .contains("Nothing is declared: the configuration has no destination", "destination.NAME");
        assertThat(program.run("topology", "check").err())
                .contains("Nothing is declared: the configuration has no namespace");
    }

    @Test
    void a_configuration_file_that_does_not_exist_is_said_to_be_missing() {
        Path missing = directory.resolve("nope.yaml");

        Result result = program.run("status", "--config", missing.toString());

        assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err()).contains("The configuration file " + missing + " does not exist");
        assertThat(program.run("cost", "--load", missing.toString()).err()).contains(missing + " does not exist");
    }

    @ParameterizedTest
    @CsvSource({
        "--config w.yaml status, waybill-relay status --config w.yaml",
        "outbox --json list, waybill-relay outbox list --json",
        "--database=main, waybill-relay COMMAND --database=main"
    })
    void options_before_the_command_are_answered_with_the_right_order(String given, String right) {
        Result result = program.run(given.split(" ", -1));

        assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err()).contains("Options follow the command: " + right);
    }

    @ParameterizedTest
    @CsvSource({
        "holds, 'waybill-relay outbox list', 'waybill-relay inbox held list'",
        "held, 'waybill-relay inbox held', ''",
        "pause, 'waybill-relay relay pause', 'waybill-relay dlq pause'",
        "statsu, 'waybill-relay status', ''",
        "outbox lst, 'waybill-relay outbox list', ''",
        "nothing-like-it, 'waybill-relay --help', ''"
    })
    void a_word_that_is_no_command_is_answered_with_commands_that_were_meant(String given, String one, String other) {
        Result result = program.run(given.split(" ", -1));

        assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err()).contains(one, other);
    }

    @Test
    void help_is_a_command() {
        assertThat(program.run("help")).satisfies(result -> {
            assertThat(result.exitCode()).isZero();
            assertThat(result.out()).contains("doctor", "topology");
        });
        assertThat(program.run("help", "status").out()).contains("waybill-relay status");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2H", "2h", "p7d", "30m", "2026-03-01", "2026-03-01T07:00+01:00", "2026-03-01T06:00Z"})
    void every_verb_with_a_moment_reads_each_form(String moment) {
        for (String verb : new String[] {
            "audit --since",
            "audit --until",
            "dlq list --since",
            "dlq groups --since",
            "replay start orders --reason r --from",
            "replay start orders --reason r --from 2020-01-01 --until"
        }) {
            Result result = program.run((verb + " " + moment).split(" ", -1));

            assertThat(result.exitCode()).as(verb + ": " + result.err()).isEqualTo(ExitCode.UNREACHABLE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"audit --since yesterday", "audit --since 2x", "replay start orders --from yesterday"})
    void a_moment_that_cannot_be_read_is_answered_with_both_forms(String verb) {
        Result result = program.run(verb.split(" ", -1));

        assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err()).contains("2026-03-01 06:00 (UTC)", "30m, 2h, PT2H or 7d");
    }

    @ParameterizedTest
    @CsvSource({
        "WAYBILL_DATABASE_MAIN_ULR, WAYBILL_DATABASE_MAIN_URL?",
        "WAYBILL_NAMESPACE_MY_BUS_HSOT, WAYBILL_NAMESPACE_MY_BUS_HOST?",
        "WAYBILL_HTPP_PORT, WAYBILL_HTTP_PORT?",
        "WAYBILL_DATABASE_URL, NAME stands for a name of yours"
    })
    void a_misspelt_variable_is_answered_with_one_that_exists(String given, String meant) {
        Result result = program.run(Map.of(given, "x"), "config", "print");

        assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(result.err()).contains(meant);
    }

    @Test
    void health_without_a_relay_says_that_none_is_there() throws Exception {
        Result result = program.run("health", "--url", "http://127.0.0.1:" + freePort());

        assertThat(result.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(result.out())
                .contains("nobody takes connections at 127.0.0.1", "waybill-relay run", "http.port", "--url")
                .doesNotContain("Exception");
    }

    @Test
    void a_port_in_use_is_answered_with_the_option_that_names_another() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Assertions.assertThatThrownBy(() -> Probes.serve(
                                    "127.0.0.1", taken.getLocalPort(), new Nothing(), () -> "", new Nothing())
                            .close())
                    .hasMessageContaining("http.port");
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static final class Nothing implements ProcessHealth, ScaleQuestions {
        @Override
        public ScaleAnswer destinations() {
            return ScaleAnswer.unknown("");
        }

        @Override
        public ScaleAnswer sessions(@Nullable String query) {
            return destinations();
        }

        @Override
        public List<HealthCheck> startup() {
            return List.of();
        }

        @Override
        public List<HealthCheck> readiness() {
            return List.of();
        }
    }
}
