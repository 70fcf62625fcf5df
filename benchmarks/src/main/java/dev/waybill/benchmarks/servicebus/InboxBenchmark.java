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
import dev.waybill.benchmarks.measure.Target;
import java.time.Duration;

/** What exactly-once effects cost a consumer, against the SDK's session processor without an inbox. */
public final class InboxBenchmark implements Benchmark {
    static final Duration SESSION_IDLE = Duration.ofSeconds(1);
    static final int PATIENCE_MINUTES = 5;

    private static final double BARE_TARGET = 0.80;
    private static final double BATCH_TARGET = 2;
    private static final int BATCH = 20;
    private static final int SESSIONS = 16;
    private static final int FEW = 1;
    private static final int MANY = 64;
    private static final int SPARE_CONNECTIONS = 4;

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
        int perSession = scale.choose(2_000, 1_000, 20);
        report.note("PostgreSQL, client and embedded broker share the cores; messages of 1 KiB; one insert by jOOQ and"
                + " one commit per message on both sides; connecting included");
        report.note("as many sessions as concurrency, " + perSession
                + " messages in each, of 1 session eight times, of " + MANY + " half as many; idle time-out "
                + SESSION_IDLE.toSeconds() + " s; batches of " + BATCH);
        consumers(environment, scale, report, perSession);
        RetainedIds.measure(environment, scale, report);
        KeyChoices.measure(environment, scale, report);
    }

    private static void consumers(Environment environment, Scale scale, Report report, int perSession)
            throws Exception {
        try (OutboxSchema schema = environment.newSchema()) {
            var sides = Sides.of(schema);
            int rounds = scale.choose(9, 5, 1);
            var load = new SessionLoad(SESSIONS, perSession);
            var single = sides.single("inbox", rounds, load);
            report.figure("ratioInboxToBare", single.ratio(), Target.atLeast(BARE_TARGET));
            var batched = sides.batched("inbox, batches", rounds, load);
            report.figure("ratioBatchToRawSession", batched.ratio(), Target.atLeast(BATCH_TARGET));
            describe(report, SESSIONS, single, batched);
            for (int sessions : new int[] {FEW, MANY}) {
                var other = new SessionLoad(sessions, sessions == FEW ? perSession * 8 : Math.max(perSession / 2, 20));
                describe(
                        report,
                        sessions,
                        sides.single("inbox, " + sessions, rounds / 2 + 1, other),
                        sides.batched("inbox, batches, " + sessions, rounds / 2 + 1, other));
            }
        }
    }

    private static void describe(Report report, int sessions, Rounds.Pairs single, Rounds.Pairs batched) {
        String of = sessions + (sessions == 1 ? " session, " : " sessions, ");
        if (sessions != SESSIONS) {
            report.detail(of + "inbox / raw", single.ratio());
            report.detail(of + "batches / raw single", batched.ratio());
        }
        report.detail(of + "inbox, msg/s", single.first());
        report.detail(of + "batches, msg/s", batched.first());
        report.detail(of + "raw session processor, msg/s", single.second());
    }

    /** The inbox, one by one and in batches, and the raw SDK. */
    private record Sides(ConsumerRun one, ConsumerRun batches, RawSessionRun raw) {
        static Sides of(OutboxSchema schema) {
            var ledger = new Ledger(schema);
            var pool = schema.pool("consumer", MANY + SPARE_CONNECTIONS);
            return new Sides(
                    new ConsumerRun(schema, pool, ledger, 1),
                    new ConsumerRun(schema, pool, ledger, BATCH),
                    new RawSessionRun(OutboxSchema.dsl(pool), ledger));
        }

        Rounds.Pairs single(String what, int rounds, SessionLoad load) throws Exception {
            return Rounds.pairs(what, rounds, () -> one.rate(load), () -> raw.rate(load));
        }

        Rounds.Pairs batched(String what, int rounds, SessionLoad load) throws Exception {
            return Rounds.pairs(what, rounds, () -> batches.rate(load), () -> raw.rate(load));
        }
    }
}
