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
import java.nio.file.Path;

/** One benchmark in the small. */
final class SmokeRun {
    private SmokeRun() {}

    /** Runs it and looks for the keys of its contract, separated by spaces. */
    static void reports(Environment environment, Path directory, String name, String keys) throws Exception {
        var report = new Report(name);
        Catalogue.named(name).run(environment, Scale.SMOKE, report);
        var machine = Machine.of(environment);
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
}
