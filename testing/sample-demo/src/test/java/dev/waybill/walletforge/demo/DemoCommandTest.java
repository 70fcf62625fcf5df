package dev.waybill.walletforge.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(PostgresExtension.class)
class DemoCommandTest {
    /** Lines of a run with faults that the page leaves out. */
    private static final Predicate<String> LEFT_OUT =
            Pattern.compile("taken .*|tables in .*|relay killed while idle").asMatchPredicate();

    @TempDir
    private Path directory;

    @Test
    void a_run_ends_with_the_proof_its_report_its_balances_and_exit_code_0(TestDatabase database) throws Exception {
        var run = Cli.demo(
                database,
                "--transactions",
                "400",
                "--wallets",
                "20",
                "--seed",
                "7",
                "--report",
                path("r.json"),
                "--balances",
                path("b.csv"));

        assertThat(run.out()).contains("taken ").endsWith("The proof holds." + System.lineSeparator());
        assertThat(run.exitCode()).isZero();
        assertThat(ShownRun.shapes(run.out().lines().toList()))
                .isEqualTo(ShownRun.plain().shapes());
        JsonNode report = report();
        assertThat(report.get("transactions").asInt()).isEqualTo(400);
        assertThat(report.get("published").asInt()).isEqualTo(400);
        assertThat(report.get("delivered").asInt()).isGreaterThanOrEqualTo(400);
        assertThat(report.get("relayRestarts").asInt()).isZero();
        assertThat(report.get("ok").asBoolean()).isTrue();
        assertThat(report.get("moneyIn").asLong() - report.get("moneyOut").asLong())
                .isEqualTo(report.get("moneyHeld").asLong())
                .isEqualTo(sumOfBalances());
    }

    @Test
    void the_report_has_the_figures_that_the_page_tells_of(TestDatabase database) throws Exception {
        Cli.demo(database, "--transactions", "10", "--wallets", "2", "--report", path("r.json"));

        String page = Files.readString(Path.of("README.md"));
        List<String> told = Pattern.compile("(?m)^\\| (`[^|]*) \\|")
                .matcher(page.substring(page.indexOf("**The proof**")))
                .results()
                .flatMap(row -> Stream.of(row.group(1).replace("`", "").split(", ", -1)))
                .toList();
        assertThat(report().fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(told);
    }

    @Test
    @Tag("long")
    void faults_and_kills_change_nothing_in_the_result(TestDatabase database) throws Exception {
        var run = Cli.demo(
                database,
                "--faults",
                "--transactions",
                "600",
                "--wallets",
                "20",
                "--seed",
                "7",
                "--report",
                path("r.json"));

        List<String> printed = ShownRun.shapes(run.out().lines().toList());
        List<String> shown = ShownRun.withFaults().shapes();
        assertThat(printed).containsAll(shown).allMatch(line -> shown.contains(line) || LEFT_OUT.test(line));
        // How far the run has come is told at any moment.
        assertThat(printed)
                .containsSubsequence(
                        shown.stream().filter(line -> !LEFT_OUT.test(line)).toList());
        assertThat(run.exitCode()).isZero();
        JsonNode report = report();
        assertThat(report.get("ok").asBoolean()).isTrue();
        assertThat(report.get("duplicatesDelivered").asInt()).isPositive();
        assertThat(report.get("relayRestarts").asInt()).isGreaterThanOrEqualTo(3);
        assertThat(List.of("lost", "duplicatesApplied", "outOfOrder"))
                .allSatisfy(name -> assertThat(report.get(name).asInt()).isZero());
        JsonNode injections = report.get("injections");
        assertThat(List.of(
                        "sendsThrottled",
                        "connectionsDropped",
                        "linksDetached",
                        "acknowledgementsLost",
                        "sendsRefused",
                        "handlerErrors",
                        "handlerInterrupts",
                        "interruptFlagsLeft"))
                .allSatisfy(name -> assertThat(injections.get(name).asInt()).isPositive());
        assertThat(injections.get("sessionsHeld").asInt()).isEqualTo(1);
        assertThat(injections.get("sessionsReleased").asInt()).isEqualTo(1);
        assertThat(injections.get("paymentsSpoiled").asInt()).isEqualTo(9);
        assertThat(injections.get("deadLettersRepairedByRule").asInt()).isEqualTo(6);
        assertThat(injections.get("deadLettersRepairedByHand").asInt()).isEqualTo(3);
        assertThat(injections.get("deadLettersRedriven").asInt()).isEqualTo(9);
        assertThat(injections.get("deadLettersArchived").asInt()).isEqualTo(9);
    }

    @Test
    void bad_input_is_named_with_file_line_and_reason_and_nothing_is_done(TestDatabase database) throws Exception {
        Path input = Files.writeString(directory.resolve("bad.csv"), "t1,w1,credit,1\nt2,w1,credit,many\n");

        var run = Cli.demo(database, "--input", input.toString(), "--report", path("r.json"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines())
                .containsExactly(input + ":2: amount_cents must be a whole number of cents, not 'many'");
        assertThat(run.out()).isEmpty();
        assertThat(directory.resolve("r.json")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "--faults --service-bus x.servicebus.windows.net,cannot be combined",
        "--service-bus not-a-bus,neither a connection string",
        "--jdbc-url mysql://host,must start with jdbc:postgresql:",
        "--transactions 0,must be at least 1",
        "--transactions many,Invalid value",
        "--input a.csv --transactions 5,have no meaning",
        "--input no-such-file.csv,no such file",
        "--report no-such-directory/r.json,not a file in an existing directory",
        "--balances .,not a file in an existing directory",
        "--input target/x.csv --balances target/../target/x.csv,must name different files",
        "--unknown,Unknown option",
    })
    void options_that_make_no_sense_are_refused_before_anything_starts(String options, String reason) {
        var run = Cli.run(("demo " + options).split(" ", -1));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(reason);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void faults_without_a_payment_are_refused() throws IOException {
        Path input = Files.writeString(directory.resolve("empty.csv"), "");

        var run = Cli.run("demo", "--faults", "--input", input.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("at least one payment");
    }

    @Test
    void a_database_that_is_not_there_ends_the_run_with_exit_code_1() {
        var run = Cli.run(
                "demo", "--transactions", "1", "--jdbc-url", "jdbc:postgresql://127.0.0.1:1/none?connectTimeout=1");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("The run could not be ended");
    }

    @Test
    void help_and_version_are_there() {
        assertThat(Cli.run("demo", "--help").out()).contains("--faults").contains("Exit code");
        assertThat(Cli.run("--version").out()).matches("WalletForge \\d.*\\R");
        assertThat(Cli.run("--help").out()).contains("demo").doesNotContain("relay in a process");
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private JsonNode report() throws IOException {
        return new ObjectMapper().readTree(directory.resolve("r.json").toFile());
    }

    private long sumOfBalances() throws IOException {
        return Files.readAllLines(directory.resolve("b.csv")).stream()
                .skip(1)
                .mapToLong(line -> Long.parseLong(line.split(",", -1)[1]))
                .sum();
    }
}
