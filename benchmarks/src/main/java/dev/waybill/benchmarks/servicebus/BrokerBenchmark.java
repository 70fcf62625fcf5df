package dev.waybill.benchmarks.servicebus;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How fast the embedded broker is through the Azure SDK, which runs in the same JVM. */
public final class BrokerBenchmark implements Benchmark {
    private static final int BATCH = 100;
    private static final int IN_FLIGHT = 32;
    private static final double SEND_TARGET = 50_000;
    private static final double PROCESSOR_TARGET = 15_000;

    @Override
    public String name() {
        return "broker";
    }

    @Override
    public String summary() {
        return "the embedded broker: batches sent by the async sender, messages handled by a processor";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        int sent = scale.choose(400_000, 200_000, 1_000);
        int processed = scale.choose(100_000, 50_000, 500);
        report.note("client and broker share one JVM and the cores; connecting included");
        report.note("send: " + IN_FLIGHT + " batches of " + BATCH + " x 1 KiB in flight; processor: "
                + ProcessorRun.CONCURRENT_CALLS + " calls, prefetch " + ProcessorRun.PREFETCH
                + ", peek-lock, complete");
        var sending = Rounds.of("broker send", scale.choose(9, 5, 1), () -> sendRate(batches(sent)));
        report.figure("batchSendPerSecond", sending, Target.atLeast(SEND_TARGET));
        var processing =
                Rounds.of("broker processor", scale.choose(9, 5, 1), () -> processRate(batches(processed), processed));
        report.figure("processorPerSecond", processing, Target.atLeast(PROCESSOR_TARGET));
    }

    private static double sendRate(List<List<ServiceBusMessage>> batches) {
        try (EmbeddedServiceBus bus = BenchQueue.startWithoutSessions();
                var sender = new RawSender(bus.connectionString(), Backlog.DESTINATION)) {
            var watch = Stopwatch.start();
            sender.send(batches, IN_FLIGHT);
            double rate = watch.rate((long) batches.size() * BATCH);
            BenchQueue.requireStored(bus, (long) batches.size() * BATCH);
            return rate;
        }
    }

    private static double processRate(List<List<ServiceBusMessage>> batches, int messages) throws Exception {
        try (EmbeddedServiceBus bus = BenchQueue.startWithoutSessions()) {
            try (var sender = new RawSender(bus.connectionString(), Backlog.DESTINATION)) {
                sender.send(batches, IN_FLIGHT);
            }
            return new ProcessorRun(bus, messages).rate();
        }
    }

    private static List<List<ServiceBusMessage>> batches(int messages) {
        var payload = BinaryData.fromBytes(Backlog.payload());
        var batches = new ArrayList<List<ServiceBusMessage>>();
        for (int i = 0; i < messages / BATCH; i++) {
            batches.add(Collections.nCopies(BATCH, new ServiceBusMessage(payload)));
        }
        return batches;
    }
}
