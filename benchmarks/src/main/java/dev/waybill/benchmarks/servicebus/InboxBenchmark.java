package dev.waybill.benchmarks.servicebus;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.inbox.KeyChoices;
import dev.waybill.benchmarks.inbox.Ledger;
import dev.waybill.benchmarks.inbox.RetainedIds;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Rounds;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the cost of exactly-once effects for a consumer, against the SDK's session processor without an inbox.
 */
public final class InboxBenchmark implements Benchmark {
    private static final Logger LOG = LoggerFactory.getLogger(InboxBenchmark.class);

    static final Duration SESSION_IDLE = Duration.ofSeconds(1);
    static final int PATIENCE_MINUTES = 5;

    private static final double BARE_TARGET = 0.85;
    private static final double BATCH_TARGET = 1.9;
    private static final int BATCH = 20;
    static final int SESSIONS = 16;
    private static final int FEW = 1;
    private static final int MANY = 64;
    static final int SPARE_CONNECTIONS = 4;

    @Override
    public String name() {
        return "inbox";
    }

    @Override
    public String summary() {
        return "messages handled once with one write each, against the SDK's session processor without an inbox";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        // The SDK's processor needs a thread for each session (docs: reactor.schedulers.defaultBoundedElasticSize).
        System.setProperty("reactor.schedulers.defaultBoundedElasticSize", "" + 2 * MANY);
        int perSession = perSession(scale);
        report.note("PostgreSQL, client and embedded broker share the cores; messages of 1 KiB; one insert by jOOQ and"
                + " one commit per message on both sides; connecting included");
        report.note("as many sessions as concurrency, " + perSession
                + " messages in each, of 1 session eight times, of " + MANY + " half as many; idle time-out "
                + SESSION_IDLE.toSeconds() + " s; batches of " + BATCH);
        consumers(environment, scale, report, perSession);
        HandlersInSpring.measure(environment, scale, report, "ratioSpringToOwn");
        ManySessions.measure(environment, scale, report);
        RetainedIds.measure(environment, scale, report);
        RetainedIds.measureBeyondBuffers(environment, scale, report);
        KeyChoices.measure(environment, scale, report);
    }

    static int perSession(Scale scale) {
        return scale.choose(2_000, 1_000, 20);
    }

    private static void consumers(Environment environment, Scale scale, Report report, int perSession)
            throws Exception {
        try (OutboxSchema schema = environment.newSchema()) {
            var sides = Sides.of(schema);
            int rounds = scale.choose(9, 5, 1);
            sides.inTurn("warming up", rounds, new SessionLoad(SESSIONS, perSession));
            var found = sides.inTurn("inbox", rounds, new SessionLoad(SESSIONS, perSession));
            report.figure("ratioInboxToBare", found.single(), Target.atLeast(BARE_TARGET));
            report.figure("ratioBatchToRawSession", found.batched(), Target.atLeast(BATCH_TARGET));
            found.describe(SESSIONS, report);
            for (int sessions : new int[] {FEW, MANY}) {
                int each = sessions == FEW ? perSession * 8 : Math.max(perSession / 2, 20);
                var other = sides.inTurn("inbox, " + sessions, rounds / 2 + 1, new SessionLoad(sessions, each));
                report.detail(sessions + " session(s), inbox / raw", other.single());
                report.detail(sessions + " session(s), batches / raw single", other.batched());
                other.describe(sessions, report);
            }
        }
    }

    /** The inbox, one by one and in batches, and the raw SDK. */
    private record Sides(ConsumerRun one, ConsumerRun batches, RawSessionRun raw) {
        static Sides of(OutboxSchema schema) {
            var ledger = new Ledger(schema);
            var pool = schema.pool("consumer", MANY + SPARE_CONNECTIONS);
            return new Sides(
                    new ConsumerRun(schema, pool, ledger, 1, null),
                    new ConsumerRun(schema, pool, ledger, BATCH, null),
                    new RawSessionRun(OutboxSchema.dsl(pool), ledger));
        }

        /** All three in every round. */
        Rates inTurn(String name, int rounds, SessionLoad load) throws Exception {
            var rates = new Rates(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (int round = 1; round <= rounds; round++) {
                rates.ones.add(one.rate(load));
                rates.batches.add(batches.rate(load));
                rates.raws.add(raw.rate(load));
                LOG.info(
                        "{} {}/{}: {} single, {} in batches, {} raw SDK",
                        name,
                        round,
                        rounds,
                        rates.ones,
                        rates.batches,
                        rates.raws);
            }
            return rates;
        }
    }

    /** Messages per second, round by round. */
    private record Rates(List<Double> ones, List<Double> batches, List<Double> raws) {
        Spread single() {
            return new Rounds.Pairs(ones, raws).ratio();
        }

        Spread batched() {
            return new Rounds.Pairs(batches, raws).ratio();
        }

        void describe(int sessions, Report report) {
            report.detail(sessions + " session(s), inbox, msg/s", Spread.of(ones));
            report.detail(sessions + " session(s), batches, msg/s", Spread.of(batches));
            report.detail(sessions + " session(s), raw session processor, msg/s", Spread.of(raws));
        }
    }
}
