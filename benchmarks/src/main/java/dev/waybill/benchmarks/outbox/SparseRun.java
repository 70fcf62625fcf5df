package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.outbox.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** A message now and then: so seldom that an idle relay has gone to rest in between. */
final class SparseRun {
    private static final int SHORTEST_MILLIS = 1_100;
    private static final int LONGEST_MILLIS = 1_300;
    private static final long SEED = 29;

    private final LatencyRun run;
    private final DSLContext dsl;
    private final Outbox outbox;
    private final String append;
    private final byte[] payload = Backlog.payload();
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final int messages;
    private final int rounds;
    private final int divisor;

    SparseRun(OutboxSchema schema, LatencyRun run, Scale scale) {
        this.run = run;
        dsl = OutboxSchema.dsl(schema.pool("sparse", 1));
        outbox = Outbox.builder(dsl).schema(schema.name()).build();
        append = "select " + schema.name().table("outbox_append") + "({0}, {1}, {2}, {3})";
        messages = scale.choose(40, 15, 3);
        rounds = scale.choose(3, 2, 1);
        divisor = scale.choose(1, 1, 10);
    }

    List<Latencies> byOutboxTransaction() throws Exception {
        return rounds(
                "a",
                (account, reference) -> outbox.inTransaction(tx -> {
                    run.business().minimal(tx, account, reference);
                    run.business().append(tx, account, reference);
                }));
    }

    /** As a writer in another language does. */
    List<Latencies> bySql() throws Exception {
        return rounds(
                "q",
                (account, reference) -> dsl.transaction(tx -> {
                    run.business().minimal(tx.dsl(), account, reference);
                    tx.dsl()
                            .execute(
                                    append,
                                    DSL.val(Backlog.DESTINATION),
                                    DSL.val("account-" + account),
                                    DSL.val(reference),
                                    DSL.val(payload));
                }));
    }

    private List<Latencies> rounds(String name, Append append) throws Exception {
        var all = new ArrayList<Latencies>();
        for (int round = 0; round < rounds; round++) {
            String prefix = "sparse-" + name + round + "-";
            var latencies = new Latencies(prefix, messages);
            run.expect(latencies);
            for (int i = 0; i < messages; i++) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(SHORTEST_MILLIS, LONGEST_MILLIS) / divisor);
                append.commit(i, prefix + i);
                latencies.committed(i, System.nanoTime());
            }
            LatencyRun.await(latencies);
            all.add(latencies);
        }
        return all;
    }

    /** One transaction with one message. */
    @FunctionalInterface
    private interface Append {
        void commit(int account, String reference);
    }
}
