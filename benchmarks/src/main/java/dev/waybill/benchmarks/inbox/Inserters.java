package dev.waybill.benchmarks.inbox;

import dev.waybill.benchmarks.measure.Stopwatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Threads that run one small transaction after the other. Numbers are never repeated. */
record Inserters(DataSource pool, int threads, int millis) {
    private static final AtomicLong NUMBERS = new AtomicLong();

    /** Transactions per second. */
    double rate(Transaction transaction) throws Exception {
        var stop = new AtomicBoolean();
        var executor = Executors.newFixedThreadPool(threads);
        try {
            var counts = new ArrayList<Future<Long>>();
            var watch = Stopwatch.start();
            for (int i = 0; i < threads; i++) {
                counts.add(executor.submit(() -> run(transaction, stop)));
            }
            TimeUnit.MILLISECONDS.sleep(millis);
            stop.set(true);
            long done = 0;
            for (var count : counts) {
                done += count.get();
            }
            return watch.rate(done);
        } finally {
            stop.set(true);
            executor.shutdown();
        }
    }

    private long run(Transaction transaction, AtomicBoolean stop) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            long done = 0;
            while (!stop.get()) {
                transaction.run(connection, "order-" + NUMBERS.incrementAndGet());
                connection.commit();
                done++;
            }
            return done;
        }
    }

    /** The statements before the commit. */
    @FunctionalInterface
    interface Transaction {
        void run(Connection connection, String id) throws SQLException;

        default Transaction then(Transaction next) {
            return (connection, id) -> {
                run(connection, id);
                next.run(connection, id);
            };
        }
    }
}
