package dev.waybill.benchmarks;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.JsonFile;
import dev.waybill.benchmarks.measure.Machine;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Table;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command line of the benchmarks. */
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Measures Waybill on this machine.",
        footerHeading = "%nBenchmarks:%n")
public final class Benchmarks implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "which one")
    private String name = "";

    @Option(names = "--short", description = "less of everything: figures to work with, not to publish")
    private boolean brief;

    @Option(names = "--smoke", hidden = true)
    private boolean smoke;

    @Option(names = "--json", paramLabel = "FILE", description = "writes the figures there as well")
    private @Nullable Path json;

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = "a PostgreSQL to use instead of the embedded one; CPU figures need it on this machine")
    private @Nullable String jdbcUrl;

    @Spec
    private @Nullable CommandSpec spec;

    private Benchmarks() {}

    /** Runs a benchmark and ends the JVM: 0 if it was measured, whatever the figures; 1 if not; 2 for bad input. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
        var line = new CommandLine(new Benchmarks());
        line.getCommandSpec().usageMessage().footer(Catalogue.summaries().toArray(String[]::new));
        return line;
    }

    @Override
    public Integer call() throws Exception {
        Benchmark benchmark = benchmark();
        if (!FullHeap.isSettled()) {
            return FullHeap.run(commandSpec().commandLine().getParseResult().originalArgs());
        }
        var report = new Report(benchmark.name());
        try (Environment environment = jdbcUrl == null ? Environment.embedded() : Environment.at(jdbcUrl)) {
            benchmark.run(environment, scale(), report);
            Machine machine = Machine.of(environment);
            System.out.println(Table.of(report, machine));
            if (json != null) {
                JsonFile.write(json, report, machine);
            }
        }
        return 0;
    }

    private Scale scale() {
        if (smoke) {
            return Scale.SMOKE;
        }
        return brief ? Scale.SHORT : Scale.FULL;
    }

    private Benchmark benchmark() {
        try {
            return Catalogue.named(name);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(commandSpec().commandLine(), e.getMessage(), e);
        }
    }

    private CommandSpec commandSpec() {
        return Objects.requireNonNull(spec);
    }
}
