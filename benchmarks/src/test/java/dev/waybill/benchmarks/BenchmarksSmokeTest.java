package dev.waybill.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.measure.JsonFile;
import dev.waybill.benchmarks.measure.Machine;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Table;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every benchmark runs in the small and answers with its keys; how fast it was is of no interest here. */
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
        "writer, ratioTypical1 ratioTypicalJdbc1 ratioTypical20 ratioMinimal1",
        "relay, messagesPerSecond ratioToRawSdk ratioToRawSdkDelayed",
        "backlog, cpuPerRow1mTo10k",
        "steady, cpuPinnedToFree deadTuplesPinned tableBytesPeak",
        "neighbour, ratioBesideDead",
        "deadletters, ratioToRawSdk ratioToBareTables ratioToRawSdkDelayed20",
        "inbox, ratioInboxToBare ratioBatchToRawSession ratio10mTo10k ratioBeyondBuffersTo10k"
                + " sessionsPerSecond releasedHoldsPerSecond",
        "cost, serverRatioToPlainPoller500 serverRatioToPlainPoller1000 clientRatioToPlainPoller500"
                + " p50Millis500 p99Millis500 pinnedToFree",
        "handover, join leave restart hangOverLease fragmentsToWhole",
        "latency, p50Millis p99Millis p999Millis p50MillisSeparate p50MillisSparseSeparate p50MillisSparseSql"
                + " idleQueriesPerSecond"
    })
    void a_benchmark_reports_the_keys_of_its_contract(String name, String keys) throws Exception {
        var report = new Report(name);
        Catalogue.named(name).run(ENVIRONMENT, Scale.SMOKE, report);
        var machine = Machine.of(ENVIRONMENT);
        Path file = directory.resolve("figures.json");
        JsonFile.write(file, report, machine);

        JsonNode json = new ObjectMapper().readTree(file.toFile());
        for (String key : keys.split(" ", -1)) {
            assertThat(json.path(key).isNumber()).as(key).isTrue();
            assertThat(json.path(key).asDouble()).as(key).isBetween(0.0, 1e9);
            assertThat(Table.of(report, machine)).contains(key);
        }
        assertThat(report.figures().stream().filter(Report.Figure::key)).hasSize(keys.split(" ", -1).length);
        assertThat(json.path("machine").path("JDK").asText()).isNotBlank();
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
