package dev.waybill.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.benchmarks.environment.Environment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every benchmark but those of {@link LongBenchmarksSmokeTest} runs in the small and answers with its keys; how fast it was is of no interest here. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BenchmarksSmokeTest {
    private static final Environment ENVIRONMENT = Environment.embedded();

    @TempDir
    private Path directory;

    @AfterAll
    static void stop() {
        ENVIRONMENT.close();
    }

    @ParameterizedTest
    @CsvSource({
        "broker, batchSendPerSecond processorPerSecond",
        "deadletters, ratioToRawSdk ratioToBareTables ratioToRawSdkDelayed20",
        "writer, ratioTypical1 ratioTypicalJdbc1 ratioSpringToOwn ratioTypical20 ratioMinimal1",
        "relay, messagesPerSecond ratioToRawSdk ratioToRawSdkDelayed",
        "backlog, cpuPerRow1mTo10k",
        "steady, cpuPinnedToFree deadTuplesPinned tableBytesPeak",
        "neighbour, ratioBesideDead",
        "latency, p50Millis p99Millis p999Millis p50MillisSeparate p50MillisSparseSeparate p50MillisSparseSql"
                + " idleQueriesPerSecond idleQueriesPerSecond100 connections100"
    })
    @Tag("long")
    void a_benchmark_reports_the_keys_of_its_contract(String name, String keys) throws Exception {
        SmokeRun.reports(ENVIRONMENT, directory, name, keys);
    }

    /** Of the jar that the build has made before; there is none when only classes are compiled. */
    @Test
    @Tag("long")
    void a_look_at_the_console_reports_the_keys_of_its_contract() throws Exception {
        assumeTrue(Files.isRegularFile(Path.of(System.getProperty("waybill.jar", ""))), "no jar was built");

        SmokeRun.reports(
                ENVIRONMENT,
                directory,
                "console",
                "millisOverview millisHeld millisHeldDeep millisHold millisDeadLetters millisDeadLettersDeep"
                        + " millisDeadLettersOfEntity millisDeadLettersOfSession millisDeadLettersRedriven"
                        + " millisDeadLettersDryRun millisDeadLetter millisBody millisMessagesById millisMessagesOfSession"
                        + " millisConsumers millisAudit");
    }

    @Test
    @Tag("long")
    void a_start_of_the_relay_reports_the_keys_of_its_contract() throws Exception {
        assumeTrue(Files.isRegularFile(Path.of(System.getProperty("waybill.jar", ""))), "no jar was built");

        SmokeRun.reports(ENVIRONMENT, directory, "start", "readyMillisJar residentMibJar");
    }

    @Test
    void an_unknown_name_is_answered_with_those_there_are() {
        var line = Benchmarks.commandLine();
        var err = new StringWriter();
        line.setErr(new PrintWriter(err));

        assertThat(line.execute("wrtier")).isEqualTo(2);

        assertThat(err.toString()).contains("wrtier").contains("writer");
    }

    @Test
    void the_help_lists_every_benchmark() {
        assertThat(Benchmarks.commandLine().getUsageMessage()).contains(Catalogue.names());
    }
}
