package dev.waybill.benchmarks.outbox;

import dev.waybill.outbox.Outbox;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** Threads that write one transaction after the other, as fast as they can. References are never repeated. */
final class Writers<C> {
    private static final AtomicLong REFERENCES = new AtomicLong();

    private final Transactions<C> transactions;

    private Writers(Transactions<C> transactions) {
        this.transactions = transactions;
    }

    /** Writers that use jOOQ. */
    static Writers<DSLContext> of(DSLContext dsl) {
        return new Writers<>(work -> dsl.transaction(tx -> work.run(tx.dsl())));
    }

    /** Writers in transactions of the outbox, whose appends travel with the COMMIT. */
    static Writers<DSLContext> of(Outbox outbox) {
        return new Writers<>(work -> outbox.inTransaction(work::run));
    }

    /** Writers that use connections of a pool as they are. */
    static Writers<Connection> of(DataSource pool) {
        return new Writers<>(work -> {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                work.run(connection);
                connection.commit();
            }
        });
    }

    /** Writers in Spring's transactions. */
    static Writers<Connection> of(TransactionTemplate spring, DataSource pool) {
        return new Writers<>(work -> spring.executeWithoutResult(status -> {
            Connection connection = DataSourceUtils.getConnection(pool);
            try {
                work.run(connection);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            } finally {
                DataSourceUtils.releaseConnection(connection, pool);
            }
        }));
    }

    /** Transactions per second of so many writers over so long. */
    double rate(int writers, int millis, Transaction<C> transaction) throws Exception {
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

    private long write(AtomicBoolean stop, Transaction<C> transaction) throws Exception {
        var random = new SplittableRandom();
        long done = 0;
        while (!stop.get()) {
            int account = random.nextInt(Business.ACCOUNTS);
            String reference = "t" + REFERENCES.incrementAndGet();
            transactions.run(tx -> transaction.run(tx, account, reference));
            done++;
        }
        return done;
    }

    /** Begins and commits around what is written. */
    @FunctionalInterface
    private interface Transactions<C> {
        void run(Work<C> work) throws Exception;
    }

    @FunctionalInterface
    private interface Work<C> {
        void run(C tx) throws Exception;
    }

    /** The statements of one transaction. */
    @FunctionalInterface
    interface Transaction<C> {
        void run(C tx, int account, String reference) throws Exception;

        default Transaction<C> then(Transaction<C> next) {
            return (tx, account, reference) -> {
                run(tx, account, reference);
                next.run(tx, account, reference);
            };
        }
    }
}
