package dev.waybill.benchmarks.process;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.benchmarks.outbox.AppendsInSpring;
import dev.waybill.benchmarks.process.StartedService.Messaging;
import dev.waybill.benchmarks.servicebus.BenchQueue;
import dev.waybill.benchmarks.servicebus.HandlersInSpring;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Spring costs Waybill, and what Waybill costs the start of a service with Spring Boot. */
public final class SpringBenchmark implements Benchmark {
    private static final Logger LOG = LoggerFactory.getLogger(SpringBenchmark.class);
    private static final double START_TARGET_MILLIS = 300;

    @Override
    public String name() {
        return "spring";
    }

    @Override
    public String summary() {
        return "appends and handlers in Spring's transactions, and the processor that a Boot service's start takes";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        start(environment, scale, report);
        AppendsInSpring.measure(environment, scale, report, "ratioSpringToOwnAppends");
        HandlersInSpring.measure(environment, scale, report, "ratioSpringToOwnHandlers");
    }

    private record Round(StartedService.Cost with, StartedService.Cost without, StartedService.Cost sdk) {
        double added(ToDoubleFunction<StartedService.Cost> cost) {
            return cost.applyAsDouble(with) - cost.applyAsDouble(without);
        }
    }

    private static void start(Environment environment, Scale scale, Report report) throws Exception {
        report.note(
                "start: a Boot service with a data source, which it uses, and nothing else, in a JVM of its own; Waybill adds a relay with"
                        + " one destination and a consumer; processor time of the process until the context has started, and "
                        + StartedService.SETTLES_SECONDS + " s later");
        var rounds = new ArrayList<Round>();
        try (OutboxSchema schema = environment.newSchema();
                EmbeddedServiceBus bus = BenchQueue.start()) {
            for (int i = 0; i < scale.choose(11, 7, 1); i++) {
                rounds.add(new Round(
                        StartedService.run(schema, bus, Messaging.WAYBILL),
                        StartedService.run(schema, bus, Messaging.NONE),
                        StartedService.run(schema, bus, Messaging.SDK)));
                LOG.info("start of a service: {}", rounds.get(i));
            }
        }
        report.figure(
                "startCpuMillisAdded",
                spread(rounds, round -> round.added(StartedService.Cost::millis)),
                Target.atMost(START_TARGET_MILLIS));
        report.detail(
                "with Waybill, CPU ms until started",
                spread(rounds, round -> round.with().millis()));
        report.detail(
                "without, CPU ms until started",
                spread(rounds, round -> round.without().millis()));
        report.detail(
                "added until connected and idle, CPU ms",
                spread(rounds, round -> round.added(StartedService.Cost::settledMillis)));
        report.detail(
                "added by a sender and a session processor of the SDK until connected and idle, CPU ms",
                spread(
                        rounds,
                        round -> round.sdk().settledMillis() - round.without().settledMillis()));
    }

    private static Spread spread(List<Round> rounds, ToDoubleFunction<Round> value) {
        return Spread.of(rounds.stream().mapToDouble(value).boxed().toList());
    }
}
