package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.relay.Relay;

/**
 * How long a poll of a running relay takes that finds one message. The seam for a relay that tells the time of its polls: until
 * then {@link #endToEnd} stands for it, the poll and what is around it.
 */
interface PollTime {
    /** Medians of rounds, in ms. */
    Spread of(Relay relay) throws Exception;

    /** From the return of a commit, after which the relay is woken, to the publisher. The run hears of what is published. */
    static PollTime endToEnd(LatencyRun run) {
        return relay -> Spread.of(run.rounds(relay::wake).stream()
                .map(latencies -> latencies.percentileMillis(0.5))
                .toList());
    }

    /** A run whose rounds are short enough for a table that is large only once. */
    static LatencyRun run(OutboxSchema schema, Scale scale) {
        return new LatencyRun(schema, scale == Scale.FULL ? Scale.SHORT : scale);
    }
}
