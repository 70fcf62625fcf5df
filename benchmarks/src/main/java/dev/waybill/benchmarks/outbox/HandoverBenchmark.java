package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long a message waits when relays come, go, restart or hang. */
public final class HandoverBenchmark implements Benchmark {
    private static final Logger LOG = LoggerFactory.getLogger(HandoverBenchmark.class);
    private static final double JOIN_TARGET = 500;
    private static final double LEAVE_TARGET = 500;
    private static final double RESTART_TARGET = 1_500;
    private static final double HANG_TARGET = 2_000;

    @Override
    public String name() {
        return "handover";
    }

    @Override
    public String summary() {
        return "longest wait of a message while relays join, leave, restart and hang";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        report.note(
                "longest wait in ms from commit to publisher, " + Handover.RATE + " messages/s to "
                        + Handover.DESTINATIONS.size() + " destinations, a relay in this process"
                        + " and one in another, which joins, leaves, restarts and hangs; defaults; no wake(); broker answers in 10 ms");
        report.note(
                "hangs: its busiest database connection goes silent and all others go on; the lease is subtracted; a"
                        + " message that is still not published "
                        + Handover.patienceBeyondLease(scale).toSeconds()
                        + " s after the lease counts as if it had been then");
        var rounds = new ArrayList<Handover.Round>();
        for (int i = 0; i < scale.choose(5, 2, 1); i++) {
            try (OutboxSchema schema = environment.newSchema()) {
                rounds.add(new Handover(schema, scale).round());
                LOG.info("handover round {}: {}", i + 1, rounds.get(i));
            }
        }
        report.figure("join", of(rounds, Handover.Round::join), Target.atMost(JOIN_TARGET));
        report.figure("leave", of(rounds, Handover.Round::leave), Target.atMost(LEAVE_TARGET));
        report.figure("restart", of(rounds, Handover.Round::restart), Target.atMost(RESTART_TARGET));
        report.figure("hangOverLease", of(rounds, Handover.Round::hangOverLease), Target.atMost(HANG_TARGET));
    }

    private static Spread of(List<Handover.Round> rounds, ToDoubleFunction<Handover.Round> figure) {
        return Spread.of(rounds.stream().mapToDouble(figure).boxed().toList());
    }
}
