package dev.waybill.benchmarks.outbox;

import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.relay.OutboxRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jooq.DSLContext;

/** Commits at a fixed rate and learns from somebody else when the broker had each message. */
final class LatencyRun {
    static final int RATE = 100;

    private static final int PATIENCE_SECONDS = 30;

    private final Business business;
    private final DSLContext dsl;
    private final int seconds;
    private final int rounds;
    private volatile Latencies current = new Latencies("", 0);

    LatencyRun(OutboxSchema schema, Scale scale) {
        business = new Business(schema);
        dsl = OutboxSchema.dsl(schema.pool("writer", 1));
        seconds = scale.choose(30, 8, 1);
        rounds = scale.choose(5, 3, 1);
    }

    /** The rounds after one that does not count. */
    List<Latencies> rounds(Runnable afterCommit) throws Exception {
        var all = new ArrayList<Latencies>();
        for (int round = 0; round <= rounds; round++) {
            all.add(round("r" + round + "-", afterCommit));
        }
        return all.subList(1, all.size());
    }

    /** For publishers in this process. */
    void acknowledged(List<OutboxRow> rows) {
        long now = System.nanoTime();
        rows.forEach(row -> acknowledged(row.messageId(), now));
    }

    /** For publishers in other processes. */
    void acknowledged(String reference, long nanoTime) {
        current.acknowledged(reference, nanoTime);
    }

    /** From now on acknowledgements count for these messages. */
    void expect(Latencies latencies) {
        current = latencies;
    }

    /** Waits until each of them has been acknowledged. */
    static void await(Latencies latencies) throws Exception {
        if (!latencies.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("Not every message was acknowledged");
        }
    }

    Business business() {
        return business;
    }

    private Latencies round(String prefix, Runnable afterCommit) throws Exception {
        var latencies = new Latencies(prefix, seconds * RATE);
        expect(latencies);
        new PacedWriters(1, RATE).write(seconds, i -> {
            String reference = prefix + i;
            int account = i % Business.ACCOUNTS;
            dsl.transaction(tx -> {
                business.minimal(tx.dsl(), account, reference);
                business.append(tx.dsl(), account, reference);
            });
            latencies.committed(i, System.nanoTime());
            afterCommit.run();
        });
        await(latencies);
        return latencies;
    }
}
