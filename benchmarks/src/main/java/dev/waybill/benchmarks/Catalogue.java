package dev.waybill.benchmarks;

import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.outbox.BacklogBenchmark;
import dev.waybill.benchmarks.outbox.CostBenchmark;
import dev.waybill.benchmarks.outbox.HandoverBenchmark;
import dev.waybill.benchmarks.outbox.LatencyBenchmark;
import dev.waybill.benchmarks.outbox.SteadyBenchmark;
import dev.waybill.benchmarks.outbox.WriterBenchmark;
import dev.waybill.benchmarks.process.ConsoleBenchmark;
import dev.waybill.benchmarks.process.SpringBenchmark;
import dev.waybill.benchmarks.process.StartBenchmark;
import dev.waybill.benchmarks.servicebus.BrokerBenchmark;
import dev.waybill.benchmarks.servicebus.DeadLettersBenchmark;
import dev.waybill.benchmarks.servicebus.InboxBenchmark;
import dev.waybill.benchmarks.servicebus.NeighbourBenchmark;
import dev.waybill.benchmarks.servicebus.RelayBenchmark;
import java.util.List;

/** All benchmarks by name. */
final class Catalogue {
    private static final List<Benchmark> ALL = List.of(
            new BrokerBenchmark(),
            new WriterBenchmark(),
            new RelayBenchmark(),
            new NeighbourBenchmark(),
            new DeadLettersBenchmark(),
            new InboxBenchmark(),
            new BacklogBenchmark(),
            new SteadyBenchmark(),
            new CostBenchmark(),
            new HandoverBenchmark(),
            new LatencyBenchmark(),
            new StartBenchmark(),
            new SpringBenchmark(),
            new ConsoleBenchmark());

    private Catalogue() {}

    /** @throws IllegalArgumentException naming what there is */
    static Benchmark named(String name) {
        return ALL.stream()
                .filter(benchmark -> benchmark.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("There is no benchmark '" + name + "', only " + names()));
    }

    static List<String> names() {
        return ALL.stream().map(Benchmark::name).toList();
    }

    /** A line per benchmark. */
    static List<String> summaries() {
        return ALL.stream()
                .map(benchmark -> "  %-11s %s".formatted(benchmark.name(), benchmark.summary()))
                .toList();
    }
}
