package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.environment.ServerCpu;
import dev.waybill.benchmarks.measure.CompilerWatch;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Business alone, the same with the relay, the same with a plain poller: in turn, on the same server, in the same JVM. */
final class CostComparison implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CostComparison.class);
    private static final int ANALYZED_ROWS = 6_000;
    private static final int WARM_UP_RATE = 1_000;
    private static final int FEW = 100;
    // Of the time; a tenth of what a look costs its thread at 500/s.
    private static final double RESTING_SHARE = 0.002;
    private static final int TURNS = 5;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MICROS_PER_MILLI = 1e3;

    private final OutboxSchema schema;
    private final Scale scale;
    private final CostLoad load;
    private final Business tables;
    private final CostSide business;
    private final WaybillSide waybill;
    private final CostSide atCommit;
    private final CostSide poller;
    private final List<Maintenance> ownMaintenance = new ArrayList<>();
    private final List<Maintenance> pollersMaintenance = new ArrayList<>();
    private final int turns;

    CostComparison(OutboxSchema schema, Scale scale) {
        this.schema = schema;
        this.scale = scale;
        turns = scale.choose(TURNS, TURNS, 1);
        load = new CostLoad(schema, scale);
        tables = new Business(schema);
        business = new BusinessAlone(tables);
        waybill = new WaybillSide(schema, tables);
        atCommit = new AtCommitSide(schema, waybill);
        poller = new PlainPoller(schema, tables);
    }

    /** Brings the compiler to rest and the tables to a size with statistics, as they are in production. */
    void warmUp() throws Exception {
        Backlog.fill(schema, scale.choose(ANALYZED_ROWS, ANALYZED_ROWS, 100));
        int rate = scale.choose(WARM_UP_RATE, WARM_UP_RATE, 100);
        try (var eager = WaybillSide.eager(schema, tables)) {
            load.measure(eager, rate, scale.choose(60, 20, 1));
        }
        for (CostSide side : List.of(business, waybill, atCommit, poller)) {
            load.measure(side, rate, scale.choose(30, 12, 1));
        }
        schema.analyzeOnceForAll();
        untilTheCompilerRests();
        // The dead rows of the warm-up count for no side.
        maintenance("outbox_message");
        maintenance("plain_outbox");
    }

    // Polls every 8 ms reach the compiler's invocation threshold only after minutes.
    private void untilTheCompilerRests() throws Exception {
        var compiler = new CompilerWatch(RESTING_SHARE);
        int done = 0;
        do {
            for (CostSide side : List.of(business, waybill, atCommit, poller)) {
                load.measure(side, scale.choose(500, 500, 50), scale.choose(4, 4, 1));
            }
            done++;
        } while (!compiler.hasRested() && done < scale.choose(20, 10, 1));
        LOG.info("cost: warm-up ends after {} turns, compiler {}", done, compiler.hasRested() ? "idle" : "still busy");
    }

    @Override
    public void close() {
        load.close();
        waybill.close();
    }

    Figures at(int rate) throws Exception {
        int seconds = scale.choose(2, 1, 1) * (rate < FEW ? 2 : 1);
        var rounds = new ArrayList<Round>();
        for (int i = 1; i <= scale.choose(7, 3, 1); i++) {
            Round round = maintained(round(rate, seconds), load.messages(rate, seconds) * turns);
            rounds.add(round);
            LOG.info("cost {}/s round {}: {}", rate, i, round);
        }
        return new Figures(rounds);
    }

    // In short turns, each time in another order: the machine's speed drifts by half within seconds.
    private Round round(int rate, int seconds) throws Exception {
        var order = new ArrayList<>(List.of(business, waybill, atCommit, poller));
        var costs = new HashMap<CostSide, List<CostLoad.Cost>>();
        for (int turn = 0; turn < turns; turn++) {
            for (CostSide side : order) {
                costs.computeIfAbsent(side, first -> new ArrayList<>()).add(load.measure(side, rate, seconds));
            }
            Collections.rotate(order, 1);
        }
        return new Round(
                CostLoad.Cost.mean(costs.getOrDefault(business, List.of())),
                CostLoad.Cost.mean(costs.getOrDefault(waybill, List.of())),
                CostLoad.Cost.mean(costs.getOrDefault(atCommit, List.of())),
                CostLoad.Cost.mean(costs.getOrDefault(poller, List.of())));
    }

    // Between what is measured: it would else fall into anybody's turn. A vacuum is the price of a deleted row, so each
    // side pays for its own; of Waybill's table two sides have written.
    private Round maintained(Round round, int messages) {
        Maintenance own = maintenance("outbox_message");
        Maintenance pollers = maintenance("plain_outbox");
        ownMaintenance.add(own);
        pollersMaintenance.add(pollers);
        double ownMicros = own.vacuumMicrosOf(2 * messages);
        return new Round(
                round.business,
                round.waybill.withServerMicros(ownMicros),
                round.atCommit.withServerMicros(ownMicros),
                round.poller.withServerMicros(pollers.vacuumMicrosOf(messages)));
    }

    private Maintenance maintenance(String table) {
        String name = schema.name().table(table);
        return new Maintenance(cpuMillis("vacuum " + name), cpuMillis("analyze " + name));
    }

    private double cpuMillis(String statement) {
        ServerCpu server = schema.cpuOfServer();
        long before = server.nanos();
        schema.dsl().execute(statement);
        return (server.nanos() - before) / NANOS_PER_MILLI;
    }

    /** Reports the maintenance, of which the vacuum is counted for its side. */
    void describeMaintenance(Report report) {
        describe(report, "Waybill", ownMaintenance);
        describe(report, "poller", pollersMaintenance);
    }

    private static void describe(Report report, String side, List<Maintenance> maintenance) {
        String after = " of its messages after each round, CPU in ms";
        report.detail(side + ": vacuum" + after, spread(maintenance, Maintenance::vacuumMillis));
        report.detail(side + ": analyze" + after, spread(maintenance, Maintenance::analyzeMillis));
    }

    private static Spread spread(List<Maintenance> maintenance, ToDoubleFunction<Maintenance> part) {
        return Spread.of(maintenance.stream().mapToDouble(part).boxed().toList());
    }

    /** CPU of the server for a side's messages. */
    private record Maintenance(double vacuumMillis, double analyzeMillis) {
        double vacuumMicrosOf(int messages) {
            return vacuumMillis * MICROS_PER_MILLI / messages;
        }
    }

    /** Four measurements that belong together. */
    private record Round(CostLoad.Cost business, CostLoad.Cost waybill, CostLoad.Cost atCommit, CostLoad.Cost poller) {
        double above(CostLoad.Cost side, ToDoubleFunction<CostLoad.Cost> cpu) {
            return Math.max(0, cpu.applyAsDouble(side) - cpu.applyAsDouble(business));
        }

        double ratio(CostLoad.Cost side, ToDoubleFunction<CostLoad.Cost> cpu) {
            return above(side, cpu) / Math.max(1, above(poller, cpu));
        }
    }

    /** All rounds at one rate. */
    record Figures(List<Round> rounds) {
        Spread serverRatio() {
            return of(round -> round.ratio(round.waybill, CostLoad.Cost::serverMicros));
        }

        Spread clientRatio() {
            return of(round -> round.ratio(round.waybill, CostLoad.Cost::clientMicros));
        }

        Spread p50Millis() {
            return of(round -> round.waybill.p50Millis());
        }

        Spread p99Millis() {
            return of(round -> round.waybill.p99Millis());
        }

        void describe(Report report, String rate) {
            report.detail(rate + ": server CPU, business alone, us", of(round -> round.business.serverMicros()));
            describe(report, rate + " Waybill: ", (round, cpu) -> round.above(round.waybill, cpu));
            describe(report, rate + " Waybill at commit: ", (round, cpu) -> round.above(round.atCommit, cpu));
            describe(report, rate + " poller: ", (round, cpu) -> round.above(round.poller, cpu));
            report.detail(rate + ": server ratio to poller", serverRatio());
            report.detail(rate + ": client ratio to poller", clientRatio());
            report.detail(
                    rate + ": server ratio to poller, at commit",
                    of(round -> round.ratio(round.atCommit, CostLoad.Cost::serverMicros)));
            report.detail(
                    rate + ": client ratio to poller, at commit",
                    of(round -> round.ratio(round.atCommit, CostLoad.Cost::clientMicros)));
            report.detail(rate + " Waybill: p50, ms", p50Millis());
            report.detail(rate + " Waybill: p99, ms", p99Millis());
            report.detail(rate + " poller: p50, ms", of(round -> round.poller.p50Millis()));
            report.detail(rate + " poller: p99, ms", of(round -> round.poller.p99Millis()));
        }

        private void describe(
                Report report, String side, ToDoubleBiFunction<Round, ToDoubleFunction<CostLoad.Cost>> above) {
            report.detail(
                    side + "server CPU, us", of(round -> above.applyAsDouble(round, CostLoad.Cost::serverMicros)));
            report.detail(
                    side + "client CPU, us", of(round -> above.applyAsDouble(round, CostLoad.Cost::clientMicros)));
        }

        private Spread of(ToDoubleFunction<Round> figure) {
            return Spread.of(rounds.stream().mapToDouble(figure).boxed().toList());
        }
    }
}
