package dev.waybill.benchmarks.outbox;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/** Threads that write at a fixed rate by a timetable: one that has fallen behind catches up, so the rate holds. */
record PacedWriters(int writers, int perSecond) {

    /** Calls the writer with 0, 1, 2 ... spread over this time, and returns when all have been written. */
    void write(int seconds, IntConsumer writer) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            write(seconds, writer, threads);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The same by threads that live on; there must be one for each writer. */
    void write(int seconds, IntConsumer writer, ExecutorService threads) throws Exception {
        long startAt = System.nanoTime();
        List<Future<Void>> done = new ArrayList<>();
        for (int first = 0; first < writers; first++) {
            done.add(threads.submit(share(first, seconds * perSecond, startAt, writer)));
        }
        for (Future<Void> share : done) {
            share.get();
        }
    }

    private Callable<Void> share(int first, int count, long startAt, IntConsumer writer) {
        long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        return () -> {
            for (int i = first; i < count; i += writers) {
                awaitNanoTime(startAt + i * interval);
                writer.accept(i);
            }
            return null;
        };
    }

    private static void awaitNanoTime(long time) {
        long left = time - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = time - System.nanoTime();
        }
    }
}
