package dev.waybill.benchmarks.outbox;

import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.DSLContext;

/** Threads that write one transaction after the other, as fast as they can. References are never repeated. */
final class Writers {
    private static final AtomicLong REFERENCES = new AtomicLong();

    private final DSLContext dsl;

    Writers(DSLContext dsl) {
        this.dsl = dsl;
    }

    /** Transactions per second of so many writers over so long. */
    double rate(int writers, int millis, Transaction transaction) throws Exception {
        var stop = new AtomicBoolean();
        var threads = Executors.newFixedThreadPool(writers);
        try {
            var counts = new ArrayList<Future<Long>>();
            long startedAt = System.nanoTime();
            for (int i = 0; i < writers; i++) {
                counts.add(threads.submit(() -> write(stop, transaction)));
            }
            TimeUnit.MILLISECONDS.sleep(millis);
            stop.set(true);
            long done = 0;
            for (var count : counts) {
                done += count.get();
            }
            return done / ((System.nanoTime() - startedAt) / 1e9);
        } finally {
            stop.set(true);
            threads.shutdown();
        }
    }

    private long write(AtomicBoolean stop, Transaction transaction) {
        var random = new SplittableRandom();
        long done = 0;
        while (!stop.get()) {
            int account = random.nextInt(Business.ACCOUNTS);
            String reference = "t" + REFERENCES.incrementAndGet();
            dsl.transaction(tx -> transaction.run(tx.dsl(), account, reference));
            done++;
        }
        return done;
    }

    /** What is written in one transaction. */
    @FunctionalInterface
    interface Transaction {
        void run(DSLContext tx, int account, String reference);

        default Transaction then(Transaction next) {
            return (tx, account, reference) -> {
                run(tx, account, reference);
                next.run(tx, account, reference);
            };
        }
    }
}
